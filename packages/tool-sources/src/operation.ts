import type { Clock } from '@outdial/kernel';
import { McpError } from './mcp-error.ts';

export interface OperationLimits {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Of all its responses, unpacked. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server that asks, cancels and resumes needs a few. A server that never stops asking gets no more. */
const MAX_REQUESTS = 32;

/** One thing that is wanted of a server, such as a tool call: its time, its bytes, and why it failed. */
export class Operation {
  readonly #ending = new AbortController();
  readonly #failed: Promise<never>;
  #reject: (error: McpError) => void = () => undefined;
  #failure: McpError | null = null;
  #requestsLeft = MAX_REQUESTS;
  #bytesLeft: number;
  readonly #stop: () => void;
  /** Its answer may come in several streams. */
  isResumable = false;

  constructor({ clock, timeoutMs, maxBytes, signal }: OperationLimits) {
    this.#bytesLeft = maxBytes;
    this.#failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#failed.catch(() => undefined);
    const timer = clock.after(timeoutMs, () => this.fail(new McpError('timed_out', 'the server took too long')));
    const abort = () => this.fail(new McpError('timed_out', 'the request was aborted'));
    signal?.addEventListener('abort', abort, { once: true });
    this.#stop = () => {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted === true) abort();
  }

  /** Aborts when the operation is over, however it ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get failure(): McpError | null {
    return this.#failure;
  }

  /** The first failure counts. */
  fail(error: McpError): void {
    if (this.#ending.signal.aborted) return;
    this.#failure ??= error;
    this.#reject(error);
    this.#ending.abort();
  }

  /** @throws McpError */
  takeRequest(): void {
    this.#requestsLeft -= 1;
    if (this.#requestsLeft >= 0) return;
    // The library answers a server's requests by itself, and waits for the result all the same.
    const error = new McpError('too_much', 'the server asks for too many requests');
    this.fail(error);
    throw error;
  }

  /** @throws McpError */
  takeBytes(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw new McpError('too_much', 'the server sends too much');
  }

  /** Resolves with the result, or rejects as soon as the operation fails. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#failure !== null) throw this.#failure;
    const working = work();
    working.catch(() => undefined);
    return Promise.race([working, this.#failed]);
  }

  /** What is still under way for it is ended. */
  end(): void {
    this.#stop();
    this.#ending.abort();
  }
}
