import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serviceArgs } from '@outdial/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface LogLine {
  readonly msg?: unknown;
  readonly sipPort?: unknown;
}

/** The program in a child process. */
export interface ChildCallee {
  readonly lines: readonly LogLine[];
  /** The first line whose message matches, past or future; undefined if the process ends first. */
  said(message: RegExp): Promise<LogLine | undefined>;
  signal(signal: NodeJS.Signals): void;
  exited(): Promise<{ readonly code: number | null; readonly complaint: string }>;
}

export function startChildCallee(environment: Readonly<Record<string, string>>): ChildCallee {
  const child = spawn(process.execPath, serviceArgs('apps/callee/src/main.ts'), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], OUTDIAL_CALLEE_SIP_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: LogLine[] = [];
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const output = createInterface({ input: child.stdout });
  output.on('line', (text) => lines.push(JSON.parse(text)));
  const closed = once(child, 'close');
  return {
    lines,
    async said(message) {
      for (;;) {
        const found = lines.find(({ msg }) => typeof msg === 'string' && message.test(msg));
        if (found || child.exitCode !== null) return found;
        await Promise.race([once(output, 'line'), closed]);
      }
    },
    signal: (signal) => void child.kill(signal),
    async exited() {
      await closed;
      return { code: child.exitCode, complaint };
    },
  };
}
