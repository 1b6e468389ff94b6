// `npm test`: every test that does not take minutes, or the tests that the arguments select.
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const namesProject = args.some((arg) => arg.startsWith('--project'));
await runTests(namesProject ? args : ['--project=!verify*', ...args]);
