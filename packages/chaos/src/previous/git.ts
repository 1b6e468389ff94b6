import { execFile } from 'node:child_process';

export interface GitAnswer {
  readonly isDone: boolean;
  readonly output: string;
  /** Git's last line of complaint, or why it did not start. */
  readonly error: string;
}

/** Runs git in the folder. A failure is an answer. */
export function git(folder: string, args: readonly string[]): Promise<GitAnswer> {
  // A fetch from a remote that wants a password fails instead of waiting for one.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, ...args], { env }, (error, output, complaint) => {
      const reason = complaint.trim().split('\n').at(-1) || (error?.message ?? '');
      resolve({ isDone: error === null, output, error: reason });
    });
  });
}
