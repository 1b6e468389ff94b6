/** `npm start`. */
import { systemClock } from '@outdial/kernel';
import { createTerminal } from '../terminal/terminal.ts';
import { startProgram } from './start-program.ts';
import { listenForStop } from './stop-signals.ts';

// A terminal that was closed takes no more text, and what runs must still be stopped in good order.
process.stdout.on('error', () => {});
const exitCode = await startProgram({
  args: process.argv.slice(2),
  env: process.env,
  terminal: createTerminal(process.stdout, process.env),
  clock: systemClock,
  stop: listenForStop(process, systemClock),
});
process.exit(exitCode);
