import type { Clock } from '@outdial/kernel';
import { endBlamesRequest, kindOfEnd, messageOfEnd, type FailureDetails } from '../../failure.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../mind.ts';
import type { ReadyLimit } from '../../ready-limit.ts';
import type { OpenSocket, ProviderSocket, SocketEnd } from '../../sockets.ts';
import { pcmOf } from '../../sound/ulaw.ts';
import { ProviderSession, type SessionListener } from '../provider-session.ts';
import { setupOf, type GeminiLiveSettings } from './settings.ts';
import { parseServerMessage, type ServerMessage } from './wire.ts';

export interface GeminiAccess {
  readonly credential: string;
  /** `wss://generativelanguage.googleapis.com/v1beta`, or another address of Google's interface. */
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  /** From the first SYN to the accepted settings. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

export interface ConnectionListener extends SessionListener {
  readonly received: (message: ServerMessage) => void;
}

const SERVICE = 'GenerativeService.BidiGenerateContent';
/** In the reason of a close: its code is that of any trouble. */
const OVER_QUOTA = /quota|resource.?exhausted|rate.?limit/i;

/** The socket's path is another than that of requests, at the same host and of the same version. */
function liveUrl(baseUrl: string): string {
  const [, host = baseUrl, version = 'v1beta'] = /^(.*)\/(v1(?:alpha|beta)?)$/.exec(baseUrl) ?? [];
  return `${host}/ws/google.ai.generativelanguage.${version}.${SERVICE}`;
}

/** A session with a model over Google's Live API, from its first SYN to its end, which is at most one failure. */
export class GeminiConnection {
  readonly #listener: ConnectionListener;
  readonly #socket: ProviderSocket;
  readonly #session: ProviderSession;
  /** The provider ends a connection of some minutes, and says so before. */
  #isExpired = false;

  constructor(settings: GeminiLiveSettings, access: GeminiAccess, listener: ConnectionListener) {
    const { credential, baseUrl, openSocket } = access;
    this.#listener = listener;
    this.#socket = openSocket(
      { url: liveUrl(baseUrl), headers: { 'x-goog-api-key': credential } },
      {
        opened: () => this.send({ setup: setupOf(settings) }),
        received: (text) => this.#receive(text),
        // It sends its JSON in binary messages.
        receivedBinary: (data) =>
          this.#receive(Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8')),
        ended: (end) => this.#ended(end),
      },
    );
    this.#session = new ProviderSession({ ...access, listener, closeSocket: () => this.#socket.close() });
  }

  get isAccepted(): boolean {
    return this.#session.isAccepted;
  }

  send(message: Readonly<Record<string, unknown>>): void {
    if (!this.#session.isClosed) this.#socket.send(JSON.stringify(message));
  }

  /** The API takes linear PCM of any rate, which the type names. */
  sendSound(ulaw: Uint8Array): void {
    if (this.#session.isClosed) return;
    const data = pcmOf(ulaw).toString('base64');
    // Base64 needs no escapes: written out, since this happens 25 times a second for every call.
    this.#socket.send(`{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=8000","data":"${data}"}}}`);
  }

  /** Idempotent. No event follows. */
  close(): void {
    this.#session.close();
  }

  failure(kind: ProviderFailureKind, message: string, details?: FailureDetails): ProviderFailure {
    return this.#session.failure(kind, message, details);
  }

  #receive(text: string): void {
    if (this.#session.isClosed) return;
    const parsed = parseServerMessage(text);
    if (parsed.kind === 'invalid') return this.#session.invalid(parsed.problem);
    const { message } = parsed;
    this.#isExpired ||= message.goAway !== undefined;
    if (message.setupComplete !== undefined) this.#session.accept();
    if (!this.#session.isClosed) this.#listener.received(message);
  }

  /** A refusal is a close, whose reason says why. */
  #ended(end: SocketEnd): void {
    const retryAfter = end.kind === 'refused' ? end.retryAfter : null;
    const isOverQuota = end.kind === 'closed' && !this.isAccepted && OVER_QUOTA.test(end.reason);
    const blamesRequest = endBlamesRequest(end) || this.#isExpired;
    const kind = isOverQuota ? 'rate_limited' : kindOfEnd(end, !this.isAccepted);
    this.#session.fail(kind, messageOfEnd(end), { retryAfter, blamesRequest });
  }
}
