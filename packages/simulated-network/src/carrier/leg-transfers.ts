import type { Leg, TransferOutcome } from '@outdial/calls';
import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { Persona } from '../personas/persona.ts';
import { personaAt, type NumberTable } from '../personas/test-numbers.ts';
import { ACCEPTS, TransferredCall } from '../personas/transfer.ts';

type TransferRequest = Parameters<Leg['transfer']>[0];

export interface LegTransferOptions {
  /** Of the callee. */
  readonly persona: Persona;
  readonly table: NumberTable;
  /** Timers in network time. */
  readonly network: Pick<Clock, 'after'>;
  /** Until a refusal arrives. */
  readonly roundTripMs: number;
  readonly onOutcome: (outcome: TransferOutcome, target: TransferRequest['target']) => void;
}

/** The transfers of one simulated leg. */
export class LegTransfers {
  readonly #options: LegTransferOptions;
  #call: TransferredCall | undefined;
  #timer: Timer | undefined;

  constructor(options: LegTransferOptions) {
    this.#options = options;
  }

  begin({ target, timeoutMs }: TransferRequest): void {
    const { persona, table, network, roundTripMs } = this.#options;
    this.stop();
    const answer = persona.transfer ?? ACCEPTS;
    switch (answer.kind) {
      case 'refuses':
        return this.#endAfter(roundTripMs, target, { kind: 'refused', sipCode: answer.sipCode });
      case 'ignores':
        return this.#endAfter(timeoutMs, target, { kind: 'unreported' });
      case 'accepts':
        break;
      default:
        return unreachable(answer);
    }
    this.#endAfter(timeoutMs, target, { kind: 'unreported' });
    const number = target.kind === 'number' ? target.number : '';
    this.#call = new TransferredCall({
      persona: personaAt(table, number),
      clock: network,
      onStatus: (sipCode) => {
        if (sipCode < 200) return;
        this.#end(target, { kind: sipCode < 300 ? 'transferred' : 'failed', sipCode });
      },
    });
    this.#call.begin();
  }

  /** The leg is over. Idempotent. */
  stop(): void {
    this.#timer?.cancel();
    this.#call?.stop();
  }

  #endAfter(ms: number, target: TransferRequest['target'], outcome: TransferOutcome): void {
    this.#timer = this.#options.network.after(ms, () => this.#end(target, outcome));
  }

  #end(target: TransferRequest['target'], outcome: TransferOutcome): void {
    this.stop();
    this.#options.onOutcome(outcome, target);
  }
}
