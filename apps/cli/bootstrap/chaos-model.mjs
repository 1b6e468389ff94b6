// `npm run chaos:model`.
import { runBuilt } from './run-built.mjs';

await runBuilt('packages/chaos/dist/model/main.js', process.argv.slice(2));
