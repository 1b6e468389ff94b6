import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';

import type { RunAs } from './command.ts';
import { endProcess } from './end-process.ts';
import { forgetProcess, recordedProcess, recordProcess } from './pid-record.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { openServerLog } from './server-log.ts';
import { errorText, StoreSetupError } from './setup-error.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly runAs?: RunAs | undefined;
  readonly logPath: string;
  readonly pidPath: string;
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
 *
 * A guard ends the server when our process ends without having stopped it. The guard is a shell that reads from a
 * pipe which closes only with our process, so it covers SIGKILL too. The exit hook covers a guard that could not be
 * started.
 */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const log = openServerLog(server.logPath);
  const child = spawn(server.command, server.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    ...server.runAs,
  });
  closeSync(log);
  if (child.pid === undefined) throw await spawnFailure(child, server.command);
  recordProcess(server.pidPath, child.pid);
  const guard = startGuard(child.pid, server.stopSignal);
  const endWithUs = () => void child.kill(server.stopSignal);
  process.once('exit', endWithUs);

  let hasEnded = false;
  const ended = new Promise<ServerEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      hasEnded = true;
      process.removeListener('exit', endWithUs);
      guard.kill('SIGKILL');
      resolve({ code, signal });
    });
  });
  // A running server must not keep our process alive.
  child.unref();
  return {
    pid: child.pid,
    ended,
    hasEnded: () => hasEnded,
    signal: (signal) => void child.kill(signal),
    async stop() {
      await stopChild(child, server.stopSignal, ended);
      await forgetProcess(server.pidPath);
    },
  };
}

async function stopChild(child: ChildProcess, stopSignal: NodeJS.Signals, ended: Promise<unknown>): Promise<void> {
  child.ref();
  // A stopped (SIGSTOP) process reacts only to SIGKILL until it is continued.
  child.kill('SIGCONT');
  child.kill(stopSignal);
  const timer = setTimeout(() => void child.kill('SIGKILL'), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
}

/** Ends a server that an earlier run left running, whose guard was killed as well. */
export async function endLeftover(pidPath: string, stopSignal: NodeJS.Signals): Promise<void> {
  const leftover = recordedProcess(pidPath);
  if (leftover) await endLeftoverProcess(leftover, stopSignal);
  await forgetProcess(pidPath);
}

export async function endLeftoverProcess(leftover: ProcessIdentity, stopSignal: NodeJS.Signals): Promise<void> {
  await endProcess(leftover, stopSignal, STOP_GRACE_MS);
}

function startGuard(pid: number, stopSignal: 'SIGINT' | 'SIGTERM'): ChildProcess {
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
