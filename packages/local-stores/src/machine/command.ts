import { execFile } from 'node:child_process';
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
  /** The command is asked to end after this long and counts as failed. */
  readonly timeoutMs?: number;
}

export interface CommandResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** The command's error output; without any, the reason why it failed. */
  readonly stderr: string;
}

const MAX_OUTPUT_BYTES = 16_777_216;

/** Runs a command to its end. Never throws: a command that cannot be started counts as failed. */
export function runCommand(
  command: string,
  args: readonly string[],
  { runAs, env = process.env, timeoutMs = 0 }: CommandOptions = {},
): Promise<CommandResult> {
  // Every account may enter `/`; a process of another account may not be able to start in our folder.
  const options = { cwd: '/', env, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, ...runAs };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ succeeded: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    );
    // An installer that asks a question would otherwise wait for an answer until the timeout.
    child.stdin?.end();
  });
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
    if (folder !== '' && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return undefined;
}
