// `npm run chaos:mutants`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('packages/chaos/src/mutants/main.ts', process.argv.slice(2));
