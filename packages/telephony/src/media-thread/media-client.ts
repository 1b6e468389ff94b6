import type { MessagePort } from 'node:worker_threads';
import type { Conversation, Conversations } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { invariant, unreachable, type Clock, type Timer } from '@outdial/kernel';
import { MediaSessionClient, type MediaSession } from './media-session-client.ts';
import type { FromHost, MediaMetrics, SessionId, ToHost } from './protocol.ts';

/** How often the calls' rights to talk are checked. A lease is renewed far less often, and lasts far longer. */
const RENEWAL_INTERVAL_MS = 1_000;

export interface MediaClientOptions {
  /** To the media host. */
  readonly port: MessagePort;
  readonly clock: Clock;
  readonly onMetrics: (metrics: MediaMetrics) => void;
  /** Called for failures in the media thread that affect no single call's outcome. */
  readonly onError: (error: unknown) => void;
  /** The thread is gone. Its calls have been notified, and no session can be opened any more. */
  readonly onLost: () => void;
}

export interface OpenSession {
  readonly callId: CallId;
  /** The current end of the call's right to talk, by the monotonic clock. Called every second. */
  readonly rightEndsAtMs: () => number;
}

/** The main thread's side of the media thread. */
export interface MediaClient {
  /** Binds a pair of ports for a call that will be dialed. */
  openSession(input: OpenSession): MediaSession;
  /** Opens conversations over the last media session that was opened for the call. */
  readonly conversations: Pick<Conversations, 'open'>;
  /** Releases the thread; pending requests are answered as if it were gone. */
  close(): void;
}

export function createMediaClient(options: MediaClientOptions): MediaClient {
  return new PortMediaClient(options);
}

class PortMediaClient implements MediaClient {
  readonly conversations: Conversations = { open: (input) => this.#converse(input) };
  readonly #options: MediaClientOptions;
  readonly #sessions = new Map<SessionId, MediaSessionClient>();
  readonly #sessionOf = new Map<CallId, MediaSessionClient>();
  #lastSessionId = 0;
  #renewal: Timer | undefined;
  #lost = false;

  constructor(options: MediaClientOptions) {
    this.#options = options;
    options.port.on('message', (message: FromHost) => this.#onMessage(message));
    options.port.on('close', () => this.#lose());
  }

  openSession({ callId, rightEndsAtMs }: OpenSession): MediaSession {
    const { clock } = this.#options;
    this.#lastSessionId += 1;
    const session = new MediaSessionClient({
      id: this.#lastSessionId,
      clock,
      callId,
      rightEndsAtMs,
      post: (message) => this.#post(message),
      sessionIdOf: (legId) => this.#sessionOf.get(legId)?.id,
      onOver: (session) => this.#forget(callId, session),
    });
    this.#sessions.set(session.id, session);
    this.#sessionOf.set(callId, session);
    session.open();
    if (this.#lost) session.lose();
    this.#renewLater();
    return session;
  }

  close(): void {
    this.#lose();
    this.#options.port.close();
  }

  #converse({ callId, settings, variables }: Parameters<Conversations['open']>[0]): Conversation {
    const session = this.#sessionOf.get(callId);
    invariant(session, 'a leg opens its media session before its conversation is opened');
    return session.converse(settings, variables);
  }

  #onMessage(message: FromHost): void {
    switch (message.kind) {
      case 'metrics':
        this.#options.onMetrics(message.metrics);
        break;
      case 'error':
        this.#options.onError(errorOf(message));
        break;
      case 'open_outcome':
      case 'session_event':
      case 'conversation_event':
      case 'sound':
      case 'instructed':
      case 'finished':
      case 'closed':
        this.#sessions.get(message.sessionId)?.onMessage(message);
        break;
      default:
        unreachable(message);
    }
  }

  #post(message: ToHost): void {
    if (!this.#lost) this.#options.port.postMessage(message, []);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#renewal?.cancel();
    for (const session of this.#sessions.values()) session.lose();
    this.#options.onLost();
  }

  #renewLater(): void {
    if (this.#sessions.size === 0 || this.#lost) return;
    this.#renewal ??= this.#options.clock.after(RENEWAL_INTERVAL_MS, () => {
      this.#renewal = undefined;
      for (const session of this.#sessions.values()) session.renew();
      this.#renewLater();
    });
  }

  #forget(callId: CallId, session: MediaSessionClient): void {
    this.#sessions.delete(session.id);
    if (this.#sessionOf.get(callId) === session) this.#sessionOf.delete(callId);
  }
}

function errorOf({ message, stack }: Extract<FromHost, { kind: 'error' }>): Error {
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
