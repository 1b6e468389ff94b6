import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** The pids of a process's current children. Empty when it has none or has ended. */
export function childProcesses(parentPid: number): readonly number[] {
  const processes = platform() === 'linux' ? processesFromProc() : processesFromPs();
  return processes.filter((process) => process.parentPid === parentPid).map(({ pid }) => pid);
}

interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
}

/** Small Linux images have no `ps`. */
function processesFromProc(): readonly ProcessEntry[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.map((pid) => ({ pid, parentPid: parentFromProc(pid) }));
}

/** proc(5): the state and the parent follow the command in parentheses. */
function parentFromProc(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process has ended in between.
    return 0;
  }
}

function processesFromPs(): readonly ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parentPid = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parentPid };
  });
}
