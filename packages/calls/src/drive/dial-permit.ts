import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { DialRequest } from '../ports/carrier.ts';
import type { ClaimedCall, DriveStore, ReclaimOutcome } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { DialAttempts, type TrunkDeps } from '../trunks/dial-attempts.ts';
import type { CallRecord } from './call-record.ts';
import { elapsedMs, isUsable, LEASE_MARGIN_MS, LEASE_MS, type Instant } from './lease.ts';
import type { TrackedLease } from './lease-renewer.ts';
import { reclaimCall } from './reclaim-call.ts';

export interface DialPermitInput {
  readonly call: ClaimedCall;
  /** From before the claim was sent: the right to dial is counted from there, and no renewal prolongs it. */
  readonly claimSentAt: Instant;
  readonly lease: Pick<TrackedLease, 'renewedAt'>;
  readonly admittedTrunk: TrunkName | null;
  readonly carrier: string;
  readonly trunks: TrunkDeps | undefined;
  readonly store: Pick<DriveStore, 'reclaim'>;
  readonly gate: Pick<Gate, 'close'>;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the call is still to be dialled at all. */
  readonly isWanted: () => boolean;
  /** Aborts when it is not. */
  readonly unwanted: AbortSignal;
  /** Dialling is paused, or may be: nothing is sent until it is known not to be. */
  readonly onHeldBack: () => void;
  readonly onReclaimed: () => void;
  readonly onRefused: (reason: Extract<ReclaimOutcome, { readonly kind: 'refused' }>['reason']) => void;
  /** Somebody else owns the call. */
  readonly onFenced: () => void;
}

/**
 * So long after Postgres said that dialling is not paused a dial may begin: a pause stops every dial within that. Counted
 * from before it was asked, it needs no clock but the worker's own.
 */
export const PAUSE_WITHIN_MS = 1_000;

/** A claim's right to dial, in the form in which a carrier asks for it. */
export class DialPermit {
  readonly #input: DialPermitInput;
  readonly #attempts: DialAttempts | undefined;
  #claimSentAt: Instant;
  /** From before the last statement was sent that found dialling not paused. */
  #unpausedAt: Instant;
  /** Of the attempt that is being made something was sent: a challenge that is answered is no new dial. */
  #isAttemptSent = false;
  #wasUsed = false;

  constructor(input: DialPermitInput) {
    this.#input = input;
    this.#claimSentAt = input.claimSentAt;
    this.#unpausedAt = input.claimSentAt;
    this.#attempts = this.#openAttempts();
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  holds(): boolean {
    const { clock, isWanted } = this.#input;
    return isWanted() && isUsable(clock, this.#claimSentAt);
  }

  request(): DialRequest {
    const { call, lease, admittedTrunk, record } = this.#input;
    return {
      callId: call.id,
      accountId: call.accountId,
      callerNumber: call.callerNumber,
      calleeNumber: call.calleeNumber,
      ringTimeoutMs: call.limits.ringTimeoutSeconds * 1_000,
      maxDurationMs: call.limits.maxDurationSeconds * 1_000,
      admittedTrunk,
      // The carrier sends in the tick in which it is told that it may.
      mayDial: () => {
        const permitted = this.holds() && this.#isUnpaused();
        this.#wasUsed ||= permitted;
        this.#isAttemptSent ||= permitted;
        return permitted;
      },
      awaitDialPermit: () => this.#awaitDialPermit(),
      beginAttempt: async (trunk, dialog) => this.#attempts?.begin(trunk, dialog) ?? 'refused',
      recorded: () => record.recorded(),
      rightEndsAtMs: () => lease.renewedAt().monotonicMs + LEASE_MS - LEASE_MARGIN_MS,
    };
  }

  #isUnpaused(): boolean {
    return this.#isAttemptSent || elapsedMs(this.#input.clock, this.#unpausedAt) < PAUSE_WITHIN_MS;
  }

  /** Waits for as long as dialling is paused. False: the call is not to be dialled any more. */
  async #awaitDialPermit(): Promise<boolean> {
    if (!this.holds()) return false;
    const { call, unwanted, onHeldBack, onReclaimed, onRefused, onFenced } = this.#input;
    onHeldBack();
    const outcome = await reclaimCall(this.#input, { callId: call.id, epoch: call.epoch }, unwanted);
    switch (outcome.kind) {
      case 'claimed':
        this.#claimSentAt = outcome.sentAt;
        this.#beginAnew(outcome.sentAt);
        onReclaimed();
        return true;
      case 'refused':
        onRefused(outcome.reason);
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

  #beginAnew(unpausedAt: Instant): void {
    this.#unpausedAt = unpausedAt;
    this.#isAttemptSent = false;
  }

  #openAttempts(): DialAttempts | undefined {
    const { call, carrier, trunks, gate, record, clock, logger } = this.#input;
    if (!trunks) return undefined;
    return new DialAttempts({
      deps: { ...trunks, gate, clock },
      call,
      carrier,
      logger,
      inOrder: (write) => record.inOrder(write),
      isWanted: () => this.holds(),
      onBegun: (sentAt) => this.#beginAnew(sentAt),
      awaitDialPermit: () => this.#awaitDialPermit(),
    });
  }
}
