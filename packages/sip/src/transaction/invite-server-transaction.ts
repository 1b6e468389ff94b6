import { TimerSet } from '../clock.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';
import { createResponse } from './responses.ts';
import type { ServerTransaction, ServerTransactionOptions } from './server-transaction.ts';
import { TRANSACTION_TIMEOUT_MS, T1_MS, T2_MS, T4_MS, TRYING_AFTER_MS } from './timer-values.ts';

type State = 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

/**
 * RFC 3261 section 17.2.1 as corrected by RFC 6026. The transaction retransmits a rejection until its ACK. The session
 * retransmits a 2xx, through `repeatAccepted`, because only the session sees its ACK.
 */
export class InviteServerTransaction implements ServerTransaction {
  readonly #options: ServerTransactionOptions;
  readonly #timers: TimerSet<'trying' | 'G' | 'H' | 'I' | 'L'>;
  #state: State = 'proceeding';
  #last: SipResponse | undefined;

  constructor(options: ServerTransactionOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
    this.#timers.start('trying', TRYING_AFTER_MS, () => this.respond(createResponse(options.request, 100)));
  }

  get request(): ReceivedRequest {
    return this.#options.request;
  }

  respond(response: SipResponse): void {
    if (this.#state !== 'proceeding') return;
    this.#timers.cancelAll();
    this.#last = response;
    this.#options.send(response);
    if (response.status < 200) return;
    if (response.status < 300) {
      this.#state = 'accepted';
      this.#timers.start('L', TRANSACTION_TIMEOUT_MS, () => this.terminate());
      return;
    }
    this.#state = 'completed';
    if (!this.#options.reliable) this.#repeatAfter(T1_MS, response);
    this.#timers.start('H', TRANSACTION_TIMEOUT_MS, () => this.terminate());
  }

  /** Retransmits the 2xx. */
  repeatAccepted(): void {
    if (this.#state === 'accepted' && this.#last !== undefined) this.#options.send(this.#last);
  }

  /** Whether a final response was sent. */
  get isAnswered(): boolean {
    return this.#state !== 'proceeding';
  }

  /**
   * Sends no response at all, not even 100: the caller's timer B ends the call. Retransmissions are absorbed until
   * then.
   */
  neverRespond(): void {
    this.#timers.start('trying', TRANSACTION_TIMEOUT_MS, () => this.terminate());
  }

  repeated(): void {
    // In `accepted` the session retransmits; in `confirmed` the ACK has arrived (RFC 6026 section 7.1).
    const answers = this.#state === 'proceeding' || this.#state === 'completed';
    if (answers && this.#last !== undefined) this.#options.send(this.#last);
  }

  /** The ACK to a rejection arrived. */
  acknowledged(): void {
    if (this.#state !== 'completed') return;
    this.#state = 'confirmed';
    this.#timers.cancelAll();
    this.#timers.start('I', this.#options.reliable ? 0 : T4_MS, () => this.terminate());
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.cancelAll();
    this.#options.onTerminated();
  }

  #repeatAfter(delayMs: number, response: SipResponse): void {
    this.#timers.start('G', delayMs, () => {
      this.#options.send(response);
      this.#repeatAfter(Math.min(delayMs * 2, T2_MS), response);
    });
  }
}
