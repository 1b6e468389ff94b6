// `npm test`: every test that does not take minutes, or those that the arguments name.
import { runTests } from './run-tests.mjs';

const args = process.argv.slice(2);
const namesProject = args.some((arg) => arg.startsWith('--project'));
await runTests(namesProject ? args : ['--project=!verify*', ...args]);
