// `npm run bench`. Where memory is measured, the service runs as in production, from compiled JavaScript.
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { runFromSource } from './run-from-source.mjs';

ensureInstalled();
await ensureBuilt();
await runFromSource('bench/src/main.ts', process.argv.slice(2));
