// `npm run bench:voice`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('bench/src/voice/main.ts', process.argv.slice(2));
