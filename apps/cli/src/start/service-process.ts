import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const ROOT_DIR = fileURLToPath(new URL('../../../..', import.meta.url));
const END_WITH_PARENT = new URL('../../bootstrap/end-with-parent.mjs', import.meta.url).href;
const LAST_LINES = 20;

/** Node's arguments for a compiled program of this repository, which ends when its parent is gone. */
export function programArgs(entry: string): readonly string[] {
  return ['--enable-source-maps', `--import=${END_WITH_PARENT}`, join(ROOT_DIR, entry)];
}

export type ServiceName = 'api' | 'worker' | 'callee';

export interface ServiceCommand {
  readonly name: ServiceName;
  /** The compiled program, relative to the repository's root. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
}

export interface ServiceEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its output, which say why it ended. */
  readonly lastLines: readonly string[];
}

export interface ServiceProcess {
  readonly ended: Promise<ServiceEnd>;
  signal(signal: NodeJS.Signals): void;
}

export interface StartedProcess extends ServiceProcess {
  /** Whether it has written a line. */
  hasWritten(): boolean;
}

/**
 * Starts one of the product's services in its own process group: Ctrl-C in a terminal reaches every process of our
 * group at once, and we must control the order in which they stop.
 */
export function startService(command: ServiceCommand): StartedProcess {
  const child = spawn(process.execPath, programArgs(command.entry), {
    cwd: ROOT_DIR,
    env: command.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastLines: string[] = [];
  const take = (line: string) => {
    lastLines.push(line);
    if (lastLines.length > LAST_LINES) lastLines.shift();
    command.onLine(line);
  };
  readLines(child.stdout, take);
  readLines(child.stderr, take);
  return {
    ended: endOf(child).then((end) => ({ ...end, lastLines })),
    signal: (signal) => void child.kill(signal),
    hasWritten: () => lastLines.length > 0,
  };
}

function readLines(stream: Readable | null, take: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on('line', take);
}

/** `close` and not `exit`: `close` comes after the last line was read. */
function endOf(child: ChildProcess): Promise<Omit<ServiceEnd, 'lastLines'>> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}
