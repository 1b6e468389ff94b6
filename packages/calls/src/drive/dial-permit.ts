import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { DialRequest } from '../ports/carrier.ts';
import type { ClaimedCall, DriveStore, Refused } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { DialAttempts, type TrunkDeps } from '../trunks/dial-attempts.ts';
import type { CallRecord } from './call-record.ts';
import { isUsable, type Instant, type LeaseTimes } from '../lease.ts';
import { DialWindow } from './dial-window.ts';
import type { TrackedLease } from './lease-renewer.ts';
import { reclaimCall } from './reclaim-call.ts';

export interface DialPermitInput {
  readonly call: ClaimedCall;
  /** From before the claim was sent: the permit counts from there, and no renewal extends it. */
  readonly claimSentAt: Instant;
  readonly lease: Pick<TrackedLease, 'renewedAt'>;
  readonly acquiredTrunk: TrunkName | null;
  readonly carrier: string;
  readonly trunks: TrunkDeps | undefined;
  readonly store: Pick<DriveStore, 'reclaim'>;
  readonly gate: Pick<Gate, 'close'>;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseTimes: LeaseTimes;
  /** Whether the call should still be dialed at all. */
  readonly isWanted: () => boolean;
  /** Aborts when it should not. */
  readonly unwanted: AbortSignal;
  /** Dialing is paused, or the number is suppressed, or either may be: nothing is sent until Postgres allows it. */
  readonly onPaused: () => void;
  readonly onReclaimed: () => void;
  readonly onRefused: (refused: Refused) => void;
  /** Another worker owns the call. */
  readonly onFenced: () => void;
}

/** A claim's permit to dial, in the form in which a carrier asks for it. */
export class DialPermit {
  readonly #input: DialPermitInput;
  readonly #attempts: DialAttempts | undefined;
  readonly #window: DialWindow;
  #claimSentAt: Instant;

  constructor(input: DialPermitInput) {
    this.#input = input;
    this.#claimSentAt = input.claimSentAt;
    this.#window = new DialWindow(input.clock, input.claimSentAt);
    this.#attempts = this.#createAttempts();
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#window.wasUsed;
  }

  isValid(): boolean {
    const { clock, isWanted, leaseTimes } = this.#input;
    return isWanted() && isUsable(clock, this.#claimSentAt, leaseTimes);
  }

  request(): DialRequest {
    const { call, lease, acquiredTrunk, record, leaseTimes } = this.#input;
    return {
      callId: call.id,
      accountId: call.accountId,
      callerNumber: call.callerNumber,
      calleeNumber: call.calleeNumber,
      ringTimeoutMs: call.limits.ringTimeoutSeconds * 1_000,
      maxDurationMs: call.limits.maxDurationSeconds * 1_000,
      acquiredTrunk,
      mayDial: () => this.#window.use(this.isValid()),
      awaitDialPermit: () => this.#awaitDialPermit(),
      beginAttempt: async (trunk, dialog) => this.#attempts?.begin(trunk, dialog) ?? 'refused',
      recorded: () => record.recorded(),
      rightEndsAtMs: () => lease.renewedAt().monotonicMs + leaseTimes.leaseMs - leaseTimes.marginMs,
    };
  }

  /** Waits while dialing is paused. False: the call must not be dialed any more, for example because its number is suppressed. */
  async #awaitDialPermit(): Promise<boolean> {
    if (!this.isValid()) return false;
    const { call, unwanted, onPaused, onReclaimed, onRefused, onFenced } = this.#input;
    onPaused();
    const outcome = await reclaimCall(this.#input, { callId: call.id, epoch: call.epoch }, unwanted);
    switch (outcome.kind) {
      case 'claimed':
        this.#claimSentAt = outcome.sentAt;
        this.#window.restart(outcome.sentAt);
        onReclaimed();
        return true;
      case 'refused':
        onRefused(outcome);
        return false;
      case 'fenced':
        onFenced();
        return false;
      case 'interrupted':
        return false;
      default:
        return unreachable(outcome);
    }
  }

  #createAttempts(): DialAttempts | undefined {
    const { call, carrier, trunks, gate, record, clock, logger } = this.#input;
    if (!trunks) return undefined;
    return new DialAttempts({
      deps: { ...trunks, gate, clock },
      call,
      carrier,
      logger,
      inOrder: (write) => record.inOrder(write),
      isWanted: () => this.isValid(),
      onBegun: (sentAt) => this.#window.restart(sentAt),
      awaitDialPermit: () => this.#awaitDialPermit(),
    });
  }
}
