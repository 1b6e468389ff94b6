/** Prints the pid of a running command and exits while the command runs. */
import { childProcesses } from '../machine/child-processes.ts';
import { runCommand } from '../machine/command.ts';

void runCommand('sleep', ['600']);
const [pid = 0] = childProcesses(process.pid);
process.stdout.write(`${pid}\n`, () => process.exit(0));
