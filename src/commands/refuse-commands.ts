import { type Fault, RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import { quoteWord } from '../quote-word.ts';

/**
 * A plan or an experiment may come from somebody else, and one may start programs and change the CPUs' policy.
 * @throws RooflawError `invalid-input` naming all of it
 */
export function refuseCommands({ variants = [] }: Plan): void {
  const faults = variants.flatMap(({ name, launch }): Fault[] => {
    const { wrapper = [], cpuPolicy = null } = launch ?? {};
    return [
      ...(wrapper.length === 0
        ? []
        : [
            {
              where: `arm ${name}`,
              what: `starts the program ${wrapper.map(quoteWord).join(' ')}`,
            },
          ]),
      ...(cpuPolicy === null
        ? []
        : [{ where: `arm ${name}`, what: `sets ${cpuPolicy.attribute} to ${cpuPolicy.value}` }]),
    ];
  });
  if (faults.length === 0) return;
  throw new RooflawError('invalid-input', 'the experiment does more than measure', {
    faults,
    hint: 'if you want all of that, --allow-commands lets it',
  });
}
