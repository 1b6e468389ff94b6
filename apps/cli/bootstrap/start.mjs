// `npm start`: the whole product on this machine.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('apps/cli/src/start/main.ts', process.argv.slice(2), { isServer: true });
