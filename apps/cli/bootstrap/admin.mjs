// `npm run admin -- <noun> <verb>`.
import { runBuilt } from './run-built.mjs';

await runBuilt('apps/cli/dist/admin/main.js', process.argv.slice(2));
