// `npm run rolling-from -- <commit>`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('packages/chaos/src/previous/main.ts', process.argv.slice(2));
