// `npm run verify`: the tests that take minutes, or those of them that the arguments select.
import { runTests } from './run-tests.mjs';

await runTests(['--project=verify*', ...process.argv.slice(2)]);
