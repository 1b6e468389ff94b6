// `npm run chaos`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('packages/chaos/src/main.ts', process.argv.slice(2));
