import { type Fault, throwFaults } from '../errors.ts';
import { architectureSchema } from '../formats/architecture.ts';
import { decodeJson, faultsOf } from '../formats/parse.ts';
import { conditionSchema, type Space, spaceSchema } from '../formats/space.ts';
import { findSpaceFaults, type PartialSpace } from './constraints.ts';

/**
 * Reads a space.
 * @param subject what is read, for the message: a file name, say.
 * @throws RooflawError `invalid-input` with every fault: of the shape, and of whatever could be read.
 */
export function parseSpace(text: string, subject: string): Space {
  const value = decodeJson(text, subject);
  throwFaults(subject, [
    ...faultsOf(spaceSchema, value),
    ...findSpaceFaults(readWhatIsSound(value)),
  ] satisfies Fault[]);
  return spaceSchema.parse(value);
}

/** The architectures and conditions that have the right shape, each in its own place. */
function readWhatIsSound(value: unknown): PartialSpace {
  const members = (value ?? {}) as { architectures?: unknown; conditions?: unknown };
  const listOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);
  return {
    architectures: listOf(members.architectures).map(
      (one) => architectureSchema.safeParse(one).data,
    ),
    conditions: listOf(members.conditions).map((one) => conditionSchema.safeParse(one).data),
  };
}
