import type { Clock } from '@outdial/kernel';
import { providerFailure } from '../../failure.ts';
import type { MindComponent, ProviderFailure, ProviderFailureKind } from '../../mind.ts';
import { fixedReadyLimit, type ReadyLimit } from '../../ready-limit.ts';
import { kindOfError, messageOf, refusalOf } from '../llm/http-failure.ts';
import { readRest } from '../llm/read-rest.ts';

/** How to reach a server with OpenAI's interface for sound: Speaches, whisper.cpp, Kokoro-FastAPI. */
export interface LocalAccess {
  /** Servers that ask for no key ignore it. */
  readonly credential: string;
  /** With its version and without a slash at its end, such as `http://10.20.0.7:8000/v1`. */
  readonly baseUrl: string;
  /** Guarded, with connections that stay open. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Until the server must have answered its check. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

export interface LocalRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** A server of one component. Each sentence is a request: no connection is lost between two. */
export class LocalServer {
  readonly #access: LocalAccess;
  readonly #component: MindComponent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(access: LocalAccess, component: MindComponent) {
    this.#access = access;
    this.#component = component;
    this.#headers = { authorization: `Bearer ${access.credential}` };
  }

  failure(kind: ProviderFailureKind, message: string): ProviderFailure {
    const { credential } = this.#access;
    return providerFailure({ component: this.#component, kind, message, credential });
  }

  /** A request that did not succeed before its answer came. */
  failureOf(error: unknown): ProviderFailure {
    return this.failure(kindOfError(error), messageOf(error));
  }

  /**
   * Why the server cannot be used; null if it answers. A server without a list of models answers 404 or 405, and is there.
   * `signal` ends the question, as the limit does.
   */
  async check(signal: AbortSignal): Promise<ProviderFailure | null> {
    const { baseUrl, clock, fetch, readyLimit = fixedReadyLimit(clock) } = this.#access;
    const late = new AbortController();
    const timer = readyLimit.watch(() => late.abort(new Error('the provider was not ready in time')));
    try {
      const response = await fetch(`${baseUrl}/models`, {
        headers: this.#headers,
        signal: AbortSignal.any([signal, late.signal]),
        redirect: 'error',
      });
      if (!response.ok && response.status !== 404 && response.status !== 405) return await this.refusal(response);
      await readRest(response.body);
      return null;
    } catch (error) {
      return this.failureOf(error);
    } finally {
      timer.cancel();
    }
  }

  /** Rejects if no answer comes. */
  post({ path, contentType, body, signal }: LocalRequest): Promise<Response> {
    const { baseUrl, fetch } = this.#access;
    const headers = { ...this.#headers, 'content-type': contentType };
    return fetch(`${baseUrl}${path}`, { method: 'POST', headers, body, signal, redirect: 'error' });
  }

  refusal(response: Response): Promise<ProviderFailure> {
    return refusalOf(response, { component: this.#component, credential: this.#access.credential });
  }
}
