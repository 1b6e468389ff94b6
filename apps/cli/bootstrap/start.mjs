// `npm start`: the whole product on this machine.
import { runBuilt } from './run-built.mjs';

await runBuilt('apps/cli/dist/start/main.js', process.argv.slice(2), { isServer: true });
