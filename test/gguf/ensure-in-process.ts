/** A process of its own for ensure-model.test.ts: the request as its argument, the hash as output. */
import { ensureModel } from '../../src/gguf/ensure-model.io.ts';

const { sha256 } = await ensureModel(JSON.parse(process.argv[2] as string));
process.stdout.write(sha256);
