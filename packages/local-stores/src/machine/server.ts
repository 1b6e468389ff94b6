import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import type { RunAs } from './command.ts';
import { endProcess, identifyProcess, recordedProcess } from './process-record.ts';
import { errorText, StoreSetupError } from './setup-error.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly runAs?: RunAs | undefined;
  readonly logPath: string;
  /** Names the server for the next start, which ends it if it still runs. */
  readonly recordPath: string;
  /** The signal that makes this server save its data and end. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
}

/** How a server ended: with an exit code, or by a signal. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process that we started. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<ServerEnd>;
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Lets the server save its data and end; kills it after a limit. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 30_000;

/**
 * Starts a server in its own process group: Ctrl-C in a terminal reaches every process of our group at once, and a
 * store must outlive the processes that still write to it.
 */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const { stopSignal, recordPath } = server;
  const log = openServerLog(server.logPath);
  const stdio = ['ignore', log, log] as const;
  const child = spawn(server.command, server.args, { cwd: '/', detached: true, stdio: [...stdio], ...server.runAs });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw await spawnFailure(child, server.command);
  // In the same tick as the spawn: a crash right after it leaves a record too.
  writeFileSync(recordPath, JSON.stringify(identifyProcess(pid) ?? null), { mode: 0o600 });
  const guard = startGuard(pid, stopSignal);
  let hasEnded = false;
  const ended = new Promise<ServerEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      hasEnded = true;
      guard.kill('SIGKILL');
      resolve({ code, signal });
    });
  });
  // A running server must not keep our process alive.
  child.unref();
  return {
    pid,
    ended,
    hasEnded: () => hasEnded,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.ref();
      // A stopped (SIGSTOP) process reacts only to SIGKILL until it is continued.
      child.kill('SIGCONT');
      child.kill(stopSignal);
      const timer = setTimeout(() => void child.kill('SIGKILL'), STOP_GRACE_MS);
      await ended;
      clearTimeout(timer);
      await rm(recordPath, { force: true });
    },
  };
}

/** Ends the recorded server if it still runs: its owner was killed a moment ago, or its guard was killed as well. */
export async function endLeftover(recordPath: string, stopSignal: ServerCommand['stopSignal']): Promise<void> {
  const leftover = recordedProcess(recordPath);
  if (leftover) await endProcess(leftover, stopSignal, STOP_GRACE_MS);
  await rm(recordPath, { force: true });
}

/** The last lines of a log; none when there is no log. */
export function logTail(path: string, lines: number): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch {
    return [];
  }
}

/** Opens a new log for this run. The previous one is kept beside it, since it may say why a server died. */
function openServerLog(path: string): number {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // The first run has no previous log.
  }
  return openSync(path, 'w', 0o600);
}

/**
 * A guard ends the server when our process ends without having stopped it. It is a shell that reads from a pipe which
 * closes only with our process, so it covers SIGKILL too.
 */
function startGuard(pid: number, stopSignal: ServerCommand['stopSignal']): ChildProcess {
  const script = 'read -r line; kill -s "$1" "$2" 2>/dev/null';
  const guard = spawn('/bin/sh', ['-c', script, 'outdial-guard', stopSignal.slice(3), String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => {});
  guard.unref();
  return guard;
}

async function spawnFailure(child: ChildProcess, command: string): Promise<StoreSetupError> {
  const error = await new Promise<Error>((resolve) => child.once('error', resolve));
  return new StoreSetupError(`${command} cannot be started (${errorText(error)}): check its permissions.`, error);
}
