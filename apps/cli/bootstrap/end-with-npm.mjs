// Detects that the npm which started this process is gone. The scripts of package.json replace npm's shell (`exec`), so
// that what npm passes on reaches this process: a shell in between would keep SIGINT to itself. Of a killed npm nothing
// comes: without this check its programs would run on as orphans.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { platform } from 'node:os';

const LOOK_EVERY_MS = 500;

/** Calls `onGone` once, when npm has ended. Does nothing for a program that npm did not start. */
export function whenNpmEnds(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const above = identify(parent);
  // Some shells stay between npm and its script; others replace themselves with the script.
  const npm = above && /^-?(ba|da|z|k|a)?sh$/.test(basename(above.command)) ? above.parent : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** The command and the parent of a process; undefined when the system does not report them. */
function identify(pid) {
  try {
    if (platform() !== 'linux') {
      const [parent, ...command] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/);
      return { command: command.join(' '), parent: Number(parent) };
    }
    // proc(5): the command is in parentheses; the state and the parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { command, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs under another account.
    return error.code === 'EPERM';
  }
}
