// `npm test`: every test that does not take minutes, or the tests that the arguments select.
import { runTests } from './run-tests.mjs';

const BROWSER = ['browser'];
const OTHERS = ['unit', 'services', 'isolated', 'telephones'];

const args = process.argv.slice(2);
const of = (projects) => projects.map((name) => `--project=${name}`);
if (args.some((arg) => arg.startsWith('--project'))) await runTests([args]);
else if (args.length > 0) await runTests([[...of([...BROWSER, ...OTHERS]), ...args]]);
// The browser tests wait for pages much of the time, and the others use the processor meanwhile.
else await runTests([of(OTHERS), of(BROWSER)]);
