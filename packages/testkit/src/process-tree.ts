import { childProcesses } from './child-processes.ts';

/** A Postgres server has a child process per connection, each in its own session: no single signal reaches all. */
export function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  // Stop the parent first: it then forks no more children, so the list of children is complete. If it were killed
  // first, its children would get another parent and could not be found.
  if (signal !== 'SIGCONT') signalOne(pid, 'SIGSTOP');
  for (const child of childProcesses(pid)) signalOne(child, signal);
  signalOne(pid, signal);
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
