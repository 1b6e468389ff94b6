import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The account that a process runs under; our own by default. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

export interface CommandOptions {
  readonly runAs?: RunAs | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** The command is killed after this long and counts as failed. */
  readonly timeoutMs?: number;
}

export interface CommandResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** The command's output; without any, the reason why it did not start or the signal that ended it. */
  readonly stderr: string;
}

/**
 * Runs a command to its end. Never throws: a command that cannot be started counts as failed.
 *
 * The command gets its own process group. Ctrl-C in a terminal reaches every process of our group at once, and an
 * interrupted set-up or installation would look like a fault of the machine. A command that still runs when we exit
 * is asked to end.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      // Every account may enter this folder; a process of another account may not be able to start in ours.
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.env && { env: options.env }),
      ...options.runAs,
    });
    const settled = endWithUs(child, options.timeoutMs);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => {
      settled();
      resolve({ succeeded: false, stdout, stderr: stderr || error.message });
    });
    child.on('close', (code, signal) => {
      settled();
      resolve({ succeeded: code === 0, stdout, stderr: stderr || (signal ? `${signal} ended it` : '') });
    });
  });
}

const running = new Set<ChildProcess>();

/** @returns a function to call once the command has ended. */
function endWithUs(child: ChildProcess, timeoutMs: number | undefined): () => void {
  if (running.size === 0) process.once('exit', endRunning);
  running.add(child);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs);
  return () => {
    clearTimeout(timer);
    running.delete(child);
    if (running.size === 0) process.removeListener('exit', endRunning);
  };
}

function endRunning(): void {
  for (const child of running) signalGroup(child, 'SIGTERM');
}

/** Signals the command and its children, which share its group. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The full path of `name`, searched in PATH and then in `moreFolders`. */
export async function findProgram(name: string, moreFolders: readonly string[] = []): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...moreFolders];
  for (const folder of folders) {
    if (folder === '') continue;
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}
