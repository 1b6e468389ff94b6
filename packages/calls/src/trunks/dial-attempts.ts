import { pause, unreachable, type Clock, type Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { DialAttemptOutcome, LegDialog } from '../ports/carrier.ts';
import type { ClaimedCall, FencedOutcome } from '../ports/drive-store.ts';
import type { Gate, GateToken } from '../ports/gate.ts';
import type { DialAttemptStore, TrunkDirectory, TrunkHealth, TrunkChannels } from '../ports/trunks.ts';
import { instantOf, type Instant } from '../lease.ts';
import { restoreChannels } from './restore-channels.ts';
import type { Trunk } from '../trunk.ts';

/** What driving calls on trunks needs in addition. */
export interface TrunkDeps {
  readonly trunkChannels: Omit<TrunkChannels, 'limitSystem'>;
  readonly trunkDirectory: TrunkDirectory;
  readonly health: TrunkHealth;
  readonly attempts: DialAttemptStore;
}

interface AttemptsInput {
  readonly deps: TrunkDeps & { readonly gate: Pick<Gate, 'close'>; readonly clock: Clock };
  readonly call: Pick<ClaimedCall, 'id' | 'reservationId' | 'epoch'>;
  readonly carrier: string;
  readonly logger: Logger;
  /** Queues a write behind those of the call: a write of an earlier attempt must not come after it. */
  readonly inOrder: (write: () => Promise<FencedOutcome>) => Promise<void>;
  /** Whether the call should still be dialed. Has no side effect, unlike `mayDial`. */
  readonly isWanted: () => boolean;
  /** `sentAt` is from before the question to Postgres whether the attempt may begin. */
  readonly onBegun: (sentAt: Instant) => void;
  /** @see DialRequest.awaitDialPermit */
  readonly awaitDialPermit: () => Promise<boolean>;
}

/** A gate that is being rebuilt opens within seconds; a callee does not wait longer than this in silence. */
const RETRY_MS = 250;
const GIVE_UP_AFTER_MS = 10_000;

interface Attempt {
  readonly trunk: Trunk;
  readonly dialog: LegDialog;
  readonly number: number;
}

const WRITTEN: FencedOutcome = { kind: 'written', endRequested: false };

/** Try again after that time; `otherwise` is the outcome if time runs out. */
interface Retry {
  readonly againAfterMs: number;
  readonly otherwise: DialAttemptOutcome;
}
type Step = DialAttemptOutcome | Retry | 'paused';

const AGAIN: Retry = { againAfterMs: RETRY_MS, otherwise: 'refused' };

/** The dial attempts of one call: each takes a channel in the gate, then is stored under the gate's token. */
export class DialAttempts {
  readonly #input: AttemptsInput;
  /** The number of the last attempt. */
  #lastNumber = 0;

  constructor(input: AttemptsInput) {
    this.#input = input;
  }

  /** Each call is a new attempt, also at the same trunk. Never rejects. */
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
      if (clock.monotonicMs() + step.againAfterMs - askedAtMs > GIVE_UP_AFTER_MS) return step.otherwise;
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
          // A gate that does not hold an open call is about to be rebuilt, which restores the hold.
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
      logger.warn({ event: 'call.channel_failed', err: error, trunk: trunk.name }, 'no channel could be taken');
      return AGAIN;
    }
  }

  /** A repeated write is still the same attempt. */
  async #write({ trunk, dialog, number }: Attempt, token: GateToken): Promise<Step> {
    const { deps, call, carrier, inOrder, onBegun } = this.#input;
    const { id: callId, epoch } = call;
    this.#lastNumber = number;
    // The outcome of the write; the ordered writer retries it.
    const tried: { step: Step } = { step: 'refused' };
    await inOrder(async () => {
      const sentAt = instantOf(deps.clock);
      const outcome = await this.#unwritableIfRejected(
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

  /** What Postgres rejects for its data it rejects forever: the call continues without that write, and without a dial. */
  async #unwritableIfRejected<Outcome>(writing: Promise<Outcome>): Promise<Outcome | 'unwritable'> {
    try {
      return await writing;
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      this.#input.logger.error({ event: 'call.attempt_rejected', err: error }, 'a dial attempt could not be stored');
      return 'unwritable';
    }
  }
}
