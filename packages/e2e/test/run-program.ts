import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly ended: Promise<Ended>;
  /** Resolves once its output, past or future, matches. */
  printed(pattern: RegExp): Promise<void>;
  /** What it has printed so far. */
  stdout(): string;
  interrupt(): void;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from stdin. */
  readonly input?: string;
}

/** Runs a program of users in its own process. It has no environment but what it is given. */
export function runProgram(args: readonly string[], { env = {}, input = '' }: ProgramOptions = {}): Program {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program that does not read its input may end before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), stdout, stderr }));
  return {
    ended,
    stdout: () => stdout,
    async printed(pattern) {
      while (!pattern.test(stdout)) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before that: ${stderr}`);
        await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
      }
    },
    interrupt: () => void child.kill('SIGINT'),
  };
}
