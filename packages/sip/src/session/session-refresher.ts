import type { Clock } from '../clock.ts';
import { MIN_SESSION_SECONDS, SessionTimer, termsOfResponse, type SessionTimerTerms } from '../dialog/session-timer.ts';
import { readMinSeSeconds } from '../syntax/field-values.ts';
import type { ReceivedMessage, ReceivedResponse } from '../syntax/message.ts';
import { ALLOW } from '../core/capabilities.ts';
import { SDP_TYPE } from '../sdp/session-body.ts';
import type { DialogClient, RequestResult } from './dialog-client.ts';

/** Long enough for the far end's re-INVITE, with which ours collided, to finish (RFC 3261 section 14.1). */
const RETRY_MS = 4_000;
/** The longest interval that a peer may ask for: a day. */
const MAX_SESSION_SECONDS = 86_400;

export interface SessionRefresherOptions {
  readonly clock: Clock;
  readonly client: DialogClient;
  /** The current description; it is offered again unchanged. */
  readonly offer: () => string | undefined;
  readonly onRefreshed: (response: ReceivedResponse) => void;
  /** No side refreshed the session, or the far end no longer knows it. */
  readonly onLost: (detail: string) => void;
}

/** Refreshes a session when that is our part, and checks that the far end does when it is not (RFC 4028). */
export class SessionRefresher {
  readonly #options: SessionRefresherOptions;
  readonly #timer: SessionTimer;
  #peerTakesUpdate = false;
  #offersOut = 0;
  #stopped = false;

  constructor(options: SessionRefresherOptions) {
    this.#options = options;
    this.#timer = new SessionTimer(options.clock, {
      refresh: () => this.#refresh(),
      expired: () => options.onLost('the session was not refreshed in time'),
    });
  }

  /** Null while no session timer is agreed on. */
  get intervalSeconds(): number | null {
    return this.#timer.intervalSeconds;
  }

  /** A re-INVITE is pending, and its answer may change the media. */
  get isOffering(): boolean {
    return this.#offersOut > 0;
  }

  /** Records what the far end allows: an UPDATE refreshes without touching the media. */
  learn({ headers }: ReceivedMessage): void {
    if (headers.get('allow') !== undefined) this.#peerTakesUpdate = headers.lists('allow', 'UPDATE');
  }

  start(terms: SessionTimerTerms | undefined): void {
    this.#timer.start(terms);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.stop();
  }

  /** Refreshes out of turn, for the Contact that the request carries. The caller decides what a failure means. */
  refreshNow(onResult: (result: RequestResult) => void): void {
    this.#send(MIN_SESSION_SECONDS, (result) => {
      if (!this.#stopped && result.kind === 'response' && result.response.status < 300)
        this.#refreshed(result.response);
      onResult(result);
    });
  }

  #refresh(minSeconds = MIN_SESSION_SECONDS): void {
    this.#send(minSeconds, (result) => {
      if (this.#timer.intervalSeconds === null) return;
      if (result.kind === 'lost') this.#options.onLost(result.detail);
      else this.#refreshed(result.response);
    });
  }

  #send(minSeconds: number, onResult: (result: RequestResult) => void): void {
    const { client, offer } = this.#options;
    const { intervalSeconds } = this.#timer;
    const headers: [string, string][] = [
      ['supported', 'timer'],
      ['allow', ALLOW],
    ];
    if (intervalSeconds !== null) {
      const seconds = Math.max(intervalSeconds, minSeconds);
      headers.push(['session-expires', `${seconds};refresher=uac`], ['min-se', String(minSeconds)]);
    }
    const body = this.#peerTakesUpdate ? undefined : offer();
    if (body === undefined) return client.send('UPDATE', { headers }, onResult);
    this.#offersOut += 1;
    client.send('INVITE', { headers: [...headers, ['content-type', SDP_TYPE]], body }, (result) => {
      this.#offersOut -= 1;
      onResult(result);
    });
  }

  #refreshed(response: ReceivedResponse): void {
    const { status, headers } = response;
    if (status < 300) {
      this.learn(response);
      this.#timer.start(termsOfResponse(headers));
      this.#options.onRefreshed(response);
      return;
    }
    // RFC 3261 section 12.2.1.2: for the far end the call has ended.
    if (status === 408 || status === 481) {
      this.#options.onLost(`the refresh was answered with ${status}`);
      return;
    }
    const minSeconds = readMinSeSeconds(headers);
    const asksForMore = minSeconds !== undefined && minSeconds > (this.#timer.intervalSeconds ?? 0);
    if (status === 422 && asksForMore && minSeconds <= MAX_SESSION_SECONDS) this.#refresh(minSeconds);
    else this.#timer.retryAfter(RETRY_MS);
  }
}
