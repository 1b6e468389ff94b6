import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { DialRequest } from '../ports/carrier.ts';
import type { ClaimedCall, DriveStore, Refused } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { DialAttempts, type TrunkDeps } from '../trunks/dial-attempts.ts';
import type { CallRecord } from './call-record.ts';
import { elapsedMs, isUsable, type Instant, type LeaseTimes } from '../lease.ts';
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

/**
 * How long after Postgres allowed it a dial may begin, so that a pause, or an entry of a do-not-call list, stops every dial
 * within this time of its commit. It counts from before the question was sent, and so needs no clock but the worker's own.
 */
export const DIAL_PERMIT_MS = 1_000;

/** A claim's permit to dial, in the form in which a carrier asks for it. */
export class DialPermit {
  readonly #input: DialPermitInput;
  readonly #attempts: DialAttempts | undefined;
  #claimSentAt: Instant;
  /** From before the last statement was sent that found neither a pause nor an entry of a do-not-call list. */
  #allowedAt: Instant;
  /** Something was sent for the current dial attempt: answering its challenge is no new dial. */
  #isAttemptSent = false;
  #wasUsed = false;

  constructor(input: DialPermitInput) {
    this.#input = input;
    this.#claimSentAt = input.claimSentAt;
    this.#allowedAt = input.claimSentAt;
    this.#attempts = this.#createAttempts();
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#wasUsed;
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
      // The carrier sends in the same tick in which it gets the permit.
      mayDial: () => {
        const permitted = this.isValid() && this.#isAllowed();
        this.#wasUsed ||= permitted;
        this.#isAttemptSent ||= permitted;
        return permitted;
      },
      awaitDialPermit: () => this.#awaitDialPermit(),
      beginAttempt: async (trunk, dialog) => this.#attempts?.begin(trunk, dialog) ?? 'refused',
      recorded: () => record.recorded(),
      rightEndsAtMs: () => lease.renewedAt().monotonicMs + leaseTimes.leaseMs - leaseTimes.marginMs,
    };
  }

  #isAllowed(): boolean {
    return this.#isAttemptSent || elapsedMs(this.#input.clock, this.#allowedAt) < DIAL_PERMIT_MS;
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
        this.#restart(outcome.sentAt);
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

  #restart(allowedAt: Instant): void {
    this.#allowedAt = allowedAt;
    this.#isAttemptSent = false;
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
      onBegun: (sentAt) => this.#restart(sentAt),
      awaitDialPermit: () => this.#awaitDialPermit(),
    });
  }
}
