import { reasonOf, type Clock } from '../clock.ts';
import { ConnectionError, OutdialError, TimeoutError } from '../errors.ts';
import { readError } from './read-error.ts';
import { retryPauseMs } from './retry.ts';

/** The signal is given apart, because that of a `Request` is lost: see `Transport.#attempt`. */
export type Fetch = (request: Request, init: { readonly signal: AbortSignal }) => Promise<Response>;

export interface TransportOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Of one attempt, until its answer is complete; of a stream, until it begins. */
  readonly timeoutMs: number;
}

interface Sending {
  readonly readsWhole: boolean;
  readonly isRepeatable: boolean;
  /** Of one attempt. Default: that of the client. */
  readonly timeoutMs?: number;
  /** What each attempt sends, instead of the body of the request. */
  readonly file?: UploadBody;
  readonly onProgress?: OnProgress | undefined;
}

/** A stream can be sent once. */
export type UploadBody = string | Blob | ReadableStream<Uint8Array>;
/** Called with the bytes that an attempt has given to the network. */
export type OnProgress = (sentBytes: number) => void;

/** Sends requests, repeats what may be repeated, and throws an `OutdialError` for each answer that is not a success. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Repeats requests that change nothing twice: those without a change, and those with a key. */
  readonly send = (request: Request): Promise<Response> =>
    this.#send(request, { readsWhole: true, isRepeatable: isRepeatable(request) });

  /** For a POST whose repetition changes nothing. */
  readonly sendRepeatable = (request: Request): Promise<Response> =>
    this.#send(request, { readsWhole: true, isRepeatable: true });

  /**
   * For an upload: its time is that of the network and of all that it holds. Its repetition changes nothing. A `Blob` or a
   * stream is read while it is sent.
   */
  upload(file: UploadBody, onProgress?: OnProgress): (request: Request) => Promise<Response> {
    const sending = { readsWhole: true, isRepeatable: !(file instanceof ReadableStream), file, onProgress };
    return (request) => this.#send(request, { ...sending, timeoutMs: UPLOAD_TIMEOUT_MS });
  }

  /** Leaves the body to the caller, who has it as it arrives. */
  readonly open = (request: Request): Promise<Response> =>
    this.#send(request, { readsWhole: false, isRepeatable: true });

  async #send(request: Request, sending: Sending): Promise<Response> {
    const { clock, random } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(request, sending);
      } catch (error) {
        if (!(error instanceof OutdialError)) throw error;
        // The answer of an earlier attempt was lost: it has deleted the thing.
        if (attempt > 0 && request.method === 'DELETE' && error.status === 404) return new Response(null, NO_CONTENT);
        const mayRepeat = sending.isRepeatable || (error.code === 'rate_limited' && sending.file === undefined);
        const pauseMs = mayRepeat ? retryPauseMs(error, attempt, random()) : null;
        if (pauseMs === null) throw error;
        await clock.sleep(pauseMs, request.signal);
      }
    }
  }

  /**
   * Node holds the link from the signal of a `Request` to its `fetch` weakly: once garbage is collected, the signal ends
   * nothing. So the signal goes to `fetch` itself, and an abort ends the attempt whether or not `fetch` notices.
   */
  async #attempt(request: Request, sending: Sending): Promise<Response> {
    const { readsWhole, timeoutMs = this.#options.timeoutMs } = sending;
    const { fetch, clock } = this.#options;
    const [abort, done] = [new AbortController(), new AbortController()];
    const passOn = () => abort.abort(reasonOf(request.signal));
    if (request.signal.aborted) passOn();
    else request.signal.addEventListener('abort', passOn, { once: true });
    clock.sleep(timeoutMs, done.signal).then(
      () => abort.abort(timedOut(timeoutMs)),
      () => undefined,
    );
    const answering = (async () => {
      const response = await fetch(withBody(request, sending), { signal: abort.signal });
      if (!response.ok) throw await readError(response, clock.nowMs());
      return readsWhole ? await wholeOf(response) : response;
    })();
    try {
      return await Promise.race([answering, abortOf(abort.signal)]);
    } catch (error) {
      if (error instanceof OutdialError) throw error;
      throw abort.signal.aborted ? reasonOf(abort.signal) : connectionFailed(error);
    } finally {
      done.abort();
      answering.catch(() => undefined);
      request.signal.removeEventListener('abort', passOn);
    }
  }
}

/** A clone would keep what it has sent in memory, for the next one. */
function withBody(request: Request, { file, onProgress }: Sending): Request {
  if (file === undefined) return request.clone();
  const body = onProgress === undefined ? file : counted(file, onProgress);
  // The types of the web do not know `duplex`, without which Node sends no stream.
  const init: RequestInit & { readonly duplex: 'half' } = { body, duplex: 'half' };
  return new Request(request, init);
}

/** Without its length a file is sent in chunks. */
function counted(file: UploadBody, onProgress: OnProgress): ReadableStream<Uint8Array> {
  let sentBytes = 0;
  const stream: ReadableStream<Uint8Array> = file instanceof ReadableStream ? file : new Blob([file]).stream();
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        onProgress((sentBytes += chunk.byteLength));
      },
    }),
  );
}

/** Rejects with the reason of the signal once it is aborted. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(reasonOf(signal));
    else signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true });
  });
}

const UPLOAD_TIMEOUT_MS = 1_800_000;
const NO_CONTENT = { status: 204 } as const;
const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

function isRepeatable({ method, headers }: Request): boolean {
  return REPEATABLE_METHODS.has(method) || headers.has('Idempotency-Key');
}

/** The answer with its body already read: a connection that breaks while it arrives is a broken one. */
async function wholeOf(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  return new Response(status === 204 ? null : text, { status, headers });
}

function timedOut(timeoutMs: number): TimeoutError {
  return new TimeoutError({ code: 'timeout', status: null, message: `No answer arrived in ${timeoutMs / 1_000} s.` });
}

export function connectionFailed(cause: unknown): ConnectionError {
  return new ConnectionError({
    code: 'connection_failed',
    status: null,
    message: 'The server could not be reached, or the connection broke. Check the address and the network.',
    cause,
  });
}
