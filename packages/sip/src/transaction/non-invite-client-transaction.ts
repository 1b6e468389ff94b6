import { TimerSet } from '../clock.ts';
import type { ReceivedResponse } from '../syntax/message.ts';
import type { ClientTransaction, ClientTransactionOptions } from './client-transaction.ts';
import { RequestSender } from './request-sender.ts';
import { TRANSACTION_TIMEOUT_MS, T1_MS, T2_MS, T4_MS } from './timer-values.ts';

type State = 'trying' | 'proceeding' | 'completed' | 'terminated';

/** RFC 3261 section 17.1.2. */
export class NonInviteClientTransaction implements ClientTransaction {
  readonly #options: ClientTransactionOptions;
  readonly #timers: TimerSet<'E' | 'F' | 'K'>;
  readonly #sender: RequestSender;
  #state: State = 'trying';
  #unwatch: () => void = () => undefined;

  constructor(options: ClientTransactionOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
    this.#sender = new RequestSender(options.channel, options.request, (error, mayHaveLeft) =>
      this.#lost(error, mayHaveLeft),
    );
  }

  start(): void {
    this.#timers.start('F', TRANSACTION_TIMEOUT_MS, () => {
      this.terminate();
      this.#options.user.onTimeout();
    });
    const { channel } = this.#options;
    if (!channel.reliable) this.#repeatAfter(T1_MS);
    // No response can come over another connection, so waiting is pointless.
    if (channel.isOnlyReturnPath) {
      this.#unwatch = channel.onClosed(() => this.#lost(new Error('the connection was closed'), true));
    }
    this.#sender.send();
  }

  receive(response: ReceivedResponse): void {
    if (this.#state !== 'trying' && this.#state !== 'proceeding') return;
    if (response.status < 200) this.#state = 'proceeding';
    else {
      this.#state = 'completed';
      this.#unwatch();
      this.#timers.cancelAll();
      this.#timers.start('K', this.#options.channel.reliable ? 0 : T4_MS, () => this.terminate());
    }
    this.#options.user.onResponse(response);
  }

  terminate(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#unwatch();
    this.#timers.cancelAll();
    this.#options.onTerminated();
  }

  #lost(error: Error, mayHaveLeft: boolean): void {
    if (this.#state !== 'trying' && this.#state !== 'proceeding') return;
    this.terminate();
    this.#options.user.onTransportError(error, mayHaveLeft);
  }

  #repeatAfter(delayMs: number): void {
    this.#timers.start('E', delayMs, () => {
      this.#sender.send();
      this.#repeatAfter(this.#state === 'proceeding' ? T2_MS : Math.min(delayMs * 2, T2_MS));
    });
  }
}
