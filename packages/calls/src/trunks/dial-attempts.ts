import { pause, unreachable, type Clock, type Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { DialAttemptOutcome, LegDialog } from '../ports/carrier.ts';
import type { ClaimedCall, FencedOutcome } from '../ports/drive-store.ts';
import type { Gate, GateToken } from '../ports/gate.ts';
import type { DialAttemptStore, TrunkDirectory, TrunkHealth, TrunkChannels } from '../ports/trunks.ts';
import { instantOf, type Instant } from '../drive/lease.ts';
import { restoreChannels } from './restore-channels.ts';
import type { Trunk } from './trunk.ts';

/** What a driver of calls over trunks needs beside the rest. */
export interface TrunkDeps {
  readonly trunkChannels: Omit<TrunkChannels, 'limitSystem'>;
  readonly trunkDirectory: TrunkDirectory;
  readonly health: TrunkHealth;
  readonly attempts: DialAttemptStore;
}

interface AttemptsInput {
  readonly deps: TrunkDeps & { readonly gate: Pick<Gate, 'close'>; readonly clock: Clock };
  readonly call: ClaimedCall;
  readonly carrier: string;
  readonly logger: Logger;
  /** Puts a write behind those that the call already waits for: what an earlier attempt left must not come after it. */
  readonly inOrder: (write: () => Promise<FencedOutcome>) => Promise<void>;
  /** Whether the call is still to be dialled. Says nothing to anybody, unlike `mayDial`. */
  readonly isWanted: () => boolean;
  /** `sentAt` is from before Postgres was asked, which found that dialling is not paused. */
  readonly onBegun: (sentAt: Instant) => void;
  /** @see DialRequest.awaitDialPermit */
  readonly awaitDialPermit: () => Promise<boolean>;
}

/** A gate that is being rebuilt is open again within seconds; longer than this nobody listens to silence. */
const RETRY_MS = 250;
const PATIENCE_MS = 10_000;

interface Attempt {
  readonly trunk: Trunk;
  readonly dialog: LegDialog;
  readonly number: number;
}

const WRITTEN: FencedOutcome = { kind: 'written', endRequested: false };

/** To be tried again after so long; `otherwise` is what it comes to if patience ends. */
interface Retry {
  readonly againAfterMs: number;
  readonly otherwise: DialAttemptOutcome;
}
type Step = DialAttemptOutcome | Retry | 'paused';

const AGAIN: Retry = { againAfterMs: RETRY_MS, otherwise: 'refused' };

/** The attempts of one call: each takes a channel in the gate, then is written down under the gate's token. */
export class DialAttempts {
  readonly #input: AttemptsInput;
  /** Of the last attempt that was to be written down. */
  #lastNumber = 0;

  constructor(input: AttemptsInput) {
    this.#input = input;
  }

  /** Every time another attempt, also at the same trunk. Never rejects. */
  async begin(trunk: Trunk, dialog: LegDialog): Promise<DialAttemptOutcome> {
    const { deps, awaitDialPermit } = this.#input;
    const { clock } = deps;
    let askedAtMs = clock.monotonicMs();
    const number = this.#lastNumber + 1;
    for (;;) {
      const step = await this.#try({ trunk, dialog, number });
      if (step === 'paused') {
        if (!(await awaitDialPermit())) return 'refused';
        askedAtMs = clock.monotonicMs();
        continue;
      }
      if (typeof step === 'string') return step;
      if (!this.#input.isWanted()) return 'refused';
      if (clock.monotonicMs() + step.againAfterMs - askedAtMs > PATIENCE_MS) return step.otherwise;
      await pause(clock, step.againAfterMs);
    }
  }

  async #try(attempt: Attempt): Promise<Step> {
    const { deps, call, logger } = this.#input;
    const { trunk } = attempt;
    try {
      const { id: callId, reservationId } = call;
      const taken = await deps.trunkChannels.take({ callId, reservationId, trunk });
      switch (taken.kind) {
        case 'full':
          return 'no_channel';
        case 'closed':
        case 'not_held':
          // A gate that does not hold an open call is about to be rebuilt, which brings the hold back.
          return AGAIN;
        case 'stale':
          await restoreChannels(deps, taken.token);
          return { ...AGAIN, againAfterMs: 0 };
        case 'wait':
          return { againAfterMs: taken.forMs, otherwise: 'no_channel' };
        case 'taken':
          return await this.#write(attempt, taken.token);
        default:
          return unreachable(taken);
      }
    } catch (error) {
      logger.warn({ err: error, trunk: trunk.name }, 'a channel could not be taken');
      return AGAIN;
    }
  }

  /** Repeating it is the same attempt still. */
  async #write({ trunk, dialog, number }: Attempt, token: GateToken): Promise<Step> {
    const { deps, call, carrier, inOrder, onBegun } = this.#input;
    const { id: callId, epoch } = call;
    this.#lastNumber = number;
    // What the write came to; it is tried again by whoever keeps the order.
    const tried: { step: Step } = { step: 'refused' };
    await inOrder(async () => {
      const sentAt = instantOf(deps.clock);
      const outcome = await this.#refusedAsGone(
        deps.attempts.beginAttempt({ callId, epoch, carrier, trunk: trunk.name, dialog, number, token }),
      );
      if (outcome === 'unwritable') return WRITTEN;
      if (outcome.kind === 'gate_stale') {
        tried.step = AGAIN;
        return WRITTEN;
      }
      if (outcome.kind === 'paused') {
        tried.step = 'paused';
        return WRITTEN;
      }
      if (outcome.kind === 'written') {
        onBegun(sentAt);
        tried.step = 'begun';
      }
      return outcome;
    });
    if (tried.step === AGAIN) await deps.gate.close(token);
    return tried.step;
  }

  /** What Postgres refuses for its data it refuses for ever: the call goes on without that write, and without a dial. */
  async #refusedAsGone<Outcome>(writing: Promise<Outcome>): Promise<Outcome | 'unwritable'> {
    try {
      return await writing;
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      this.#input.logger.error({ err: error }, 'an attempt could not be written down');
      return 'unwritable';
    }
  }
}
