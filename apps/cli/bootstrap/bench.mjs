// `npm run bench`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('bench/src/main.ts', process.argv.slice(2));
