// `npm run bench:dashboard`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('bench/src/dashboard/main.ts', process.argv.slice(2));
