import { InvariantError } from '@outdial/kernel';
import { fetch } from 'undici';
import { checkUrl } from './check-url.ts';
import { EgressError } from './egress-error.ts';
import { egressErrorOf } from './error-of.ts';
import type { EgressScope } from './policy.ts';
import { createDispatchers, type EgressOptions } from './routes.ts';

export interface EgressFetch {
  /**
   * `fetch` for answers that come as a stream. A redirect is an error. Rejects with an `EgressError` unless the caller
   * aborted. Time is up to the caller. An answer of more than 8 MB is an error; one that is no success is cut.
   */
  fetch(scope: EgressScope): typeof globalThis.fetch;
  /** Ends what is in flight. */
  close(): Promise<void>;
}

/** `fetch` over connections that lead only where the scope permits, and that stay open. */
export function createEgressFetch(options: EgressOptions): EgressFetch {
  const dispatchers = createDispatchers(options);
  return {
    fetch: (scope) => async (input, init) => {
      const checked = checkUrl(input instanceof Request ? input.url : String(input), {
        scope,
        allowed: options.allowed,
      });
      if (!checked.ok) throw new EgressError('url_not_allowed', `the URL ${checked.problem}`);
      const dispatcher = dispatchers.dispatcherFor(checked.url, scope);
      const { body, headers, ...rest } = init ?? {};
      try {
        const response = await fetch(checked.url, {
          ...rest,
          ...bodyOf(body),
          headers: [...new Headers(headers)],
          redirect: 'error',
          dispatcher,
        });
        const { status, statusText } = response;
        const limit = response.ok ? TOO_LONG : CUT;
        const stream = response.body === null ? null : streamOf(response.body.getReader(), limit);
        return new Response(stream, { status, statusText, headers: [...response.headers] });
      } catch (error) {
        if (init?.signal?.aborted === true) throw error;
        throw egressErrorOf(error);
      }
    },
    close: () => dispatchers.close(),
  };
}

/** Models are asked in JSON. */
function bodyOf(body: unknown): { readonly body?: string | Uint8Array } {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new InvariantError('the body is text or bytes');
  return { body };
}

interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<void>;
}

interface SizeLimit {
  readonly maxBytes: number;
  /** What happens to a stream that has more. */
  readonly excess: 'cut' | 'fails';
}

/** A hundred times the longest answer that a model may be asked for, after it was unpacked. */
const TOO_LONG: SizeLimit = { maxBytes: 8 * 1_024 * 1_024, excess: 'fails' };
/** Enough for the reason of a refusal. */
const CUT: SizeLimit = { maxBytes: 64 * 1_024, excess: 'cut' };

/** The library's stream as one of the platform. A server may send without end, or little that unpacks to much. */
function streamOf(reader: ChunkReader, { maxBytes, excess }: SizeLimit): ReadableStream<Uint8Array<ArrayBuffer>> {
  let leftBytes = maxBytes;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      if (!(value instanceof Uint8Array)) return;
      const part = value.subarray(0, leftBytes);
      leftBytes -= part.length;
      if (part.length > 0) controller.enqueue(new Uint8Array(part));
      if (part.length === value.length) return;
      await reader.cancel();
      if (excess === 'cut') controller.close();
      else controller.error(new EgressError('invalid_response', 'the response is too long'));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
