// `npm run chaos:model`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('packages/chaos/src/model/main.ts', process.argv.slice(2));
