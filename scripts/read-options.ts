import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The options of a script; with `--help`, or where they are wrong, how it is used, and the end. */
export function readOptions<Config extends ParseArgsConfig>(usage: string, config: Config) {
  try {
    const options = { ...config.options, help: { type: 'boolean', default: false } } as const;
    const parsed = parseArgs({ ...config, options });
    if (!(parsed.values as { help?: boolean }).help) return parseArgs(config);
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}
