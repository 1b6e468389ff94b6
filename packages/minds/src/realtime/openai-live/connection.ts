import type { Clock, Timer } from '@outdial/kernel';
import { codeBlamesRequest, endBlamesRequest, kindOfEnd, messageOfEnd, type FailureDetails } from '../../failure.ts';
import type { HistoryItem, ProviderFailure, ProviderFailureKind } from '../../mind.ts';
import type { ReadyLimit } from '../../ready-limit.ts';
import type { OpenSocket, ProviderSocket, SocketEnd } from '../../sockets.ts';
import { ProviderSession, type SessionListener } from '../provider-session.ts';
import { sessionOf, type OpenAiLiveSettings } from './settings.ts';
import { parseServerEvent, type ServerEvent } from './wire.ts';

export interface OpenAiLiveAccess {
  readonly credential: string;
  /** `wss://api.openai.com/v1`, or another address of OpenAI's interface. */
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  /** From the first SYN to the accepted settings. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

export type LiveEvent = Exclude<ServerEvent, { readonly type: 'session.started' | 'session.closed' | 'error' }>;

export interface ConnectionListener extends SessionListener {
  readonly received: (event: LiveEvent) => void;
  /** The provider ends the session soon. */
  readonly expiring: () => void;
  /** The provider does not take a command, which had this name. */
  readonly refused: (eventId: string, kind: ProviderFailureKind, message: string) => void;
  /** The provider has closed the session, and counted its time. A failure follows if we did not ask for it. */
  readonly closed: (seconds: number | null) => void;
}

/** Another session takes the place of one that expires within this time. */
const RENEWAL_MS = 60_000;
/** Reasons of a close that are for the conversation, and show nothing about the provider's health. */
const REASONS_OF_REQUEST: ReadonlySet<string> = new Set(['expired', 'content', 'close_requested']);

/** A session with a model over GPT-Live, from its first SYN to its end, which is at most one failure. */
export class OpenAiLiveConnection {
  readonly #listener: ConnectionListener;
  readonly #clock: Clock;
  readonly #socket: ProviderSocket;
  readonly #session: ProviderSession;
  #expiry: Timer | null = null;
  #isClosing = false;

  constructor(
    settings: OpenAiLiveSettings,
    history: readonly HistoryItem[],
    access: OpenAiLiveAccess,
    listener: ConnectionListener,
  ) {
    const { credential, baseUrl, openSocket, clock } = access;
    this.#listener = listener;
    this.#clock = clock;
    this.#socket = openSocket(
      { url: `${baseUrl}/live/sessions`, headers: { Authorization: `Bearer ${credential}` } },
      {
        opened: () => this.send({ type: 'session.start', session: sessionOf(settings, history) }),
        received: (text) => this.#receive(text),
        ended: (end) => this.#ended(end),
      },
    );
    this.#session = new ProviderSession({ ...access, listener, closeSocket: () => this.#closeSocket() });
  }

  get isAccepted(): boolean {
    return this.#session.isAccepted;
  }

  send(event: object): void {
    if (!this.#session.isClosed) this.#socket.send(JSON.stringify(event));
  }

  sendSound(ulaw: Uint8Array): void {
    if (this.#session.isClosed) return;
    const sound = Buffer.from(ulaw.buffer, ulaw.byteOffset, ulaw.byteLength).toString('base64');
    // Base64 needs no escapes: written out, since this happens 25 times a second for every call.
    this.#socket.send(`{"type":"session.input_audio.append","audio":"${sound}"}`);
  }

  /** Asks the provider to close the session, and to count its time. Idempotent. */
  askToClose(): void {
    if (this.#isClosing || !this.isAccepted) return;
    this.#isClosing = true;
    this.send({ type: 'session.close' });
  }

  /** Idempotent. No event follows. */
  close(): void {
    // Its time is billed for as long as it is open.
    this.askToClose();
    this.#session.close();
  }

  failure(kind: ProviderFailureKind, message: string, details?: FailureDetails): ProviderFailure {
    return this.#session.failure(kind, message, details);
  }

  #closeSocket(): void {
    this.#expiry?.cancel();
    this.#socket.close();
  }

  #receive(text: string): void {
    if (this.#session.isClosed) return;
    const parsed = parseServerEvent(text);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#session.invalid(parsed.problem);
    const { event } = parsed;
    if (event.type === 'session.started') return this.#started(event.session.expires_at);
    if (event.type === 'session.closed') return this.#closed(event);
    if (event.type === 'error') return this.#error(event.error);
    this.#listener.received(event);
  }

  #started(expiresAtSeconds: number | undefined): void {
    if (this.isAccepted) return;
    if (expiresAtSeconds !== undefined) {
      const inMs = expiresAtSeconds * 1_000 - this.#clock.nowMs() - RENEWAL_MS;
      this.#expiry = this.#clock.after(Math.max(0, inMs), () => this.#listener.expiring());
    }
    this.#session.accept();
  }

  #closed({ reason, usage }: Extract<ServerEvent, { type: 'session.closed' }>): void {
    this.#listener.closed(usage?.seconds ?? null);
    if (this.#isClosing) return this.#session.close();
    const blamesRequest = REASONS_OF_REQUEST.has(reason);
    this.#session.fail('dropped', `the session was closed: ${reason}`, { blamesRequest });
  }

  #error({ code, type, message, client_event_id: eventId }: Extract<ServerEvent, { type: 'error' }>['error']): void {
    const name = code ?? type;
    const isLimited = /rate_limit/.test(`${name} ${type}`);
    if (this.isAccepted) {
      this.#listener.ignored(`${name}: ${message}`);
      if (typeof eventId !== 'string') return;
      return this.#listener.refused(eventId, isLimited ? 'rate_limited' : 'unreachable', `${name}: ${message}`);
    }
    if (isLimited) return this.#session.fail('rate_limited', message);
    return this.#session.fail(codeBlamesRequest(`${name} ${type}`) ? 'rejected' : 'unreachable', message);
  }

  #ended(end: SocketEnd): void {
    const retryAfter = end.kind === 'refused' ? end.retryAfter : null;
    const details = { retryAfter, blamesRequest: endBlamesRequest(end) };
    this.#session.fail(kindOfEnd(end, !this.isAccepted), messageOfEnd(end), details);
  }
}
