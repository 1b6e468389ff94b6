// `npm test`: every test that does not take minutes, or the tests that the arguments select.
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const namesProject = args.some((arg) => arg.startsWith('--project'));
const selection = namesProject ? args : ['--project=!verify*', ...args];
// The browser tests wait for pages much of the time, and the others use the processor meanwhile.
await runTests(args.length > 0 ? [selection] : [[...selection, '--project=!browser'], ['--project=browser']]);
