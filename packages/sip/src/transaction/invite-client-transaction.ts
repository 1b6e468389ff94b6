import { TimerSet } from '../clock.ts';
import { serializeMessage, type ReceivedResponse } from '../syntax/message.ts';
import type { ClientTransaction, ClientTransactionOptions } from './client-transaction.ts';
import { RequestSender } from './request-sender.ts';
import { createRefusalAck } from './derived-requests.ts';
import { TRANSACTION_TIMEOUT_MS, T1_MS, TIMER_D_MS } from './timer-values.ts';

type State = 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

/**
 * RFC 3261 section 17.1.1 as corrected by RFC 6026: every 2xx, also of another fork, reaches the user until timer M.
 */
export class InviteClientTransaction implements ClientTransaction {
  readonly #options: ClientTransactionOptions;
  readonly #timers: TimerSet<'A' | 'B' | 'D' | 'M'>;
  readonly #sender: RequestSender;
  #state: State = 'calling';
  /** Sent again for every retransmission of the rejection. */
  #ack: Buffer | undefined;

  constructor(options: ClientTransactionOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
    this.#sender = new RequestSender(options.channel, options.request, (error, mayHaveLeft) =>
      this.#lost(error, mayHaveLeft),
    );
  }

  /** Sends the first byte within this call. */
  start(): void {
    this.#timers.start('B', TRANSACTION_TIMEOUT_MS, () => {
      this.terminate();
      this.#options.user.onTimeout();
    });
    if (!this.#options.channel.reliable) this.#repeatAfter(T1_MS);
    this.#sender.send();
  }

  receive(response: ReceivedResponse): void {
    const waiting = this.#state === 'calling' || this.#state === 'proceeding';
    if (response.status < 200) {
      if (!waiting) return;
      this.#state = 'proceeding';
      this.#timers.cancelAll();
    } else if (response.status < 300) {
      if (!waiting && this.#state !== 'accepted') return;
      if (waiting) this.#settle('accepted', 'M', TRANSACTION_TIMEOUT_MS);
    } else {
      if (this.#state === 'completed') this.#sendAck();
      if (!waiting) return;
      this.#ack = serializeMessage(createRefusalAck(this.#options.request, response));
      this.#sendAck();
      this.#settle('completed', 'D', this.#options.channel.reliable ? 0 : TIMER_D_MS);
    }
    this.#options.user.onResponse(response);
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#timers.cancelAll();
    this.#options.onTerminated();
  }

  #settle(state: 'accepted' | 'completed', timer: 'D' | 'M', lingersMs: number): void {
    this.#state = state;
    this.#timers.cancelAll();
    this.#timers.start(timer, lingersMs, () => this.terminate());
  }

  #repeatAfter(delayMs: number): void {
    this.#timers.start('A', delayMs, () => {
      this.#sender.send();
      this.#repeatAfter(delayMs * 2);
    });
  }

  #sendAck(): void {
    // If the ACK is lost, the next retransmission of the rejection asks for it again.
    if (this.#ack !== undefined) this.#options.channel.send(this.#ack, () => undefined);
  }

  #lost(error: Error, mayHaveLeft: boolean): void {
    if (this.#state !== 'calling') return;
    this.terminate();
    this.#options.user.onTransportError(error, mayHaveLeft);
  }
}
