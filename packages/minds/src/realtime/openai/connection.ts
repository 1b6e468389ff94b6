import type { Clock } from '@outdial/kernel';
import { endBlamesRequest, kindOfEnd, messageOfEnd, type FailureDetails } from '../../failure.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../mind.ts';
import type { ReadyLimit } from '../../ready-limit.ts';
import type { OpenSocket, ProviderSocket, SocketEnd } from '../../sockets.ts';
import { ProviderSession, type SessionListener } from '../provider-session.ts';
import type { RealtimeDialect } from './dialects/dialect.ts';
import { parseServerEvent, type ServerEvent } from './wire.ts';

export interface OpenAiAccess {
  readonly dialect: RealtimeDialect;
  readonly credential: string;
  /** `wss://api.openai.com/v1`, or that of another dialect. */
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  /** From the first SYN to the accepted settings. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

/** Events of the conversation itself. */
export type ConversationEvent = Exclude<
  ServerEvent,
  { readonly type: 'session.created' | 'session.updated' | 'error' }
>;

/** What the provider says was wrong, with an event of ours or with a response. */
export interface WireError {
  readonly code?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly message?: string | null | undefined;
}

export interface ConnectionListener extends SessionListener {
  /** The settings can be sent. */
  readonly opened: () => void;
  readonly received: (event: ConversationEvent) => void;
  /** The provider began a response by itself just before ours arrived. */
  readonly rejectedAsSecond: () => void;
  /** The provider rejected our event with this id. @returns whether it was the request for a response */
  readonly rejected: (eventId: string, error: WireError) => boolean;
}

/** A session with a model over OpenAI's Realtime API or a dialect of it, from its first SYN to its end, which is at most one failure. */
export class OpenAiConnection {
  readonly #listener: ConnectionListener;
  readonly #socket: ProviderSocket;
  readonly #session: ProviderSession;
  /** The provider ends a session of an hour: it follows with the end of the socket. */
  #isExpired = false;

  constructor(model: string, access: OpenAiAccess, listener: ConnectionListener) {
    const { dialect, credential, baseUrl, openSocket } = access;
    this.#listener = listener;
    this.#socket = openSocket(
      {
        url: `${baseUrl}/realtime?model=${encodeURIComponent(model)}`,
        headers: dialect.headers(credential),
      },
      {
        opened: () => {
          if (!this.#session.isClosed) listener.opened();
        },
        received: (text) => this.#receive(text),
        ended: (end) => this.#ended(end),
      },
    );
    this.#session = new ProviderSession({ ...access, listener, closeSocket: () => this.#socket.close() });
  }

  get isAccepted(): boolean {
    return this.#session.isAccepted;
  }

  send(event: Readonly<Record<string, unknown>>): void {
    if (!this.#session.isClosed) this.#socket.send(JSON.stringify(event));
  }

  sendSound(ulaw: Uint8Array): void {
    if (this.#session.isClosed) return;
    const sound = Buffer.from(ulaw.buffer, ulaw.byteOffset, ulaw.byteLength).toString('base64');
    // Base64 needs no escapes: written out, since this happens 25 times a second for every call.
    this.#socket.send(`{"type":"input_audio_buffer.append","audio":"${sound}"}`);
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
    const event = parseServerEvent(text);
    if (event.type === 'unknown' || event.type === 'session.created') return;
    if (event.type === 'invalid') return this.#session.invalid(event.message);
    if (event.type === 'error') return this.#error(event.error);
    if (event.type !== 'session.updated') return this.#listener.received(event);
    this.#session.accept();
  }

  #error({ code, type, message, event_id: eventId }: Extract<ServerEvent, { type: 'error' }>['error']): void {
    if (code === 'conversation_already_has_active_response') return this.#listener.rejectedAsSecond();
    this.#isExpired ||= code === 'session_expired';
    if (this.isAccepted) {
      if (typeof eventId === 'string' && this.#listener.rejected(eventId, { code, type, message })) return;
      return this.#listener.ignored(`${code ?? type}: ${message}`);
    }
    if (code?.includes('rate_limit') === true) return this.#session.fail('rate_limited', message);
    return this.#session.fail(type === 'server_error' ? 'unreachable' : 'rejected', message);
  }

  #ended(end: SocketEnd): void {
    const retryAfter = end.kind === 'refused' ? end.retryAfter : null;
    const blamesRequest = endBlamesRequest(end) || this.#isExpired;
    this.#session.fail(kindOfEnd(end, !this.isAccepted), messageOfEnd(end), { retryAfter, blamesRequest });
  }
}
