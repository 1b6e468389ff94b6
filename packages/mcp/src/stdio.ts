import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { serveStdio as serveOverStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Outdial } from '@outdial/sdk';
import { createServer } from './server.ts';

export interface StdioOptions {
  readonly outdial: Outdial;
  readonly stdin: Readable;
  /** Carries the protocol, and so nothing else. */
  readonly stdout: Writable;
  /** Faults of the connection and of tools, for a log. */
  readonly onError: (error: unknown) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

const sleep = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });

/** Serves one client over stdin and stdout, of either era. Resolves when the client has closed stdin. */
export async function serveStdio({ outdial, stdin, stdout, onError, signal }: StdioOptions): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout);
  const handle = serveOverStdio(() => createServer({ outdial, sleep, ending: signal, onDefect: onError }), {
    transport,
    onerror: onError,
  });
  await new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}
