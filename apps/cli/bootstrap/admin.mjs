// `npm run admin -- <noun> <verb>`.
import { runFromSource } from './run-from-source.mjs';

await runFromSource('apps/cli/src/admin/main.ts', process.argv.slice(2));
