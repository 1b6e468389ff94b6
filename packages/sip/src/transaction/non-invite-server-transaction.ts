import { TimerSet } from '../clock.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';
import type { ServerTransaction, ServerTransactionOptions } from './server-transaction.ts';
import { TRANSACTION_TIMEOUT_MS } from './timer-values.ts';

/** RFC 3261 section 17.2.2. */
export class NonInviteServerTransaction implements ServerTransaction {
  readonly #options: ServerTransactionOptions;
  readonly #timers: TimerSet<'J'>;
  #state: 'trying' | 'completed' | 'terminated' = 'trying';
  #last: SipResponse | undefined;

  constructor(options: ServerTransactionOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
  }

  get request(): ReceivedRequest {
    return this.#options.request;
  }

  respond(response: SipResponse): void {
    if (this.#state !== 'trying') return;
    this.#last = response;
    this.#options.send(response);
    if (response.status < 200) return;
    this.#state = 'completed';
    this.#timers.start('J', this.#options.reliable ? 0 : TRANSACTION_TIMEOUT_MS, () => this.terminate());
  }

  repeated(): void {
    if (this.#last !== undefined) this.#options.send(this.#last);
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.cancelAll();
    this.#options.onTerminated();
  }
}
