/** `npm start`. */
import { systemClock } from '@outdial/kernel';
import { createTerminal } from '../terminal/terminal.ts';
import { startProgram } from './start-program.ts';
import { listenForStop } from './stop-signals.ts';

// Writing to a closed terminal fails, but the running services must still stop in order.
process.stdout.on('error', () => {});
const exitCode = await startProgram({
  args: process.argv.slice(2),
  env: process.env,
  terminal: createTerminal(process.stdout, process.env),
  clock: systemClock,
  stop: listenForStop(process, systemClock),
});
process.exit(exitCode);
