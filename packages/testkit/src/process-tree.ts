import { childProcesses } from '@outdial/local-stores';

/** A Postgres server is a parent and a child per connection, each in a session of its own: no one signal reaches all. */
export function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  // Stopped, the parent makes no more children, and those that it has can be counted. Killed at once it would lose them
  // to another parent before that.
  if (signal !== 'SIGCONT') signalOne(pid, 'SIGSTOP');
  for (const child of childProcesses(pid)) signalOne(child, signal);
  signalOne(pid, signal);
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
