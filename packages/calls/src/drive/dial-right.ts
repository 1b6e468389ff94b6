import type { TrunkName } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { DialRequest } from '../ports/carrier.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { Attempts, type TrunkDeps } from '../trunks/attempts.ts';
import type { CallRecord } from './call-record.ts';
import { isUsable, LEASE_MARGIN_MS, LEASE_MS, type Instant } from './lease.ts';
import type { HeldLease } from './lease-keeper.ts';

export interface DialRightInput {
  readonly call: ClaimedCall;
  /** From before the claim was sent: the right to dial is counted from there, and no renewal prolongs it. */
  readonly claimSentAt: Instant;
  readonly lease: Pick<HeldLease, 'renewedAt'>;
  readonly admittedTrunk: TrunkName | null;
  readonly carrier: string;
  readonly trunks: TrunkDeps | undefined;
  readonly gate: Pick<Gate, 'close'>;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the call is still to be dialled at all. */
  readonly isWanted: () => boolean;
}

/** A claim's right to dial, in the form in which a carrier asks for it. */
export class DialRight {
  readonly #input: DialRightInput;
  #wasUsed = false;

  constructor(input: DialRightInput) {
    this.#input = input;
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  holds(): boolean {
    const { clock, claimSentAt, isWanted } = this.#input;
    return isWanted() && isUsable(clock, claimSentAt);
  }

  request(): DialRequest {
    const { call, lease, admittedTrunk, record } = this.#input;
    const attempts = this.#attempts();
    return {
      callId: call.id,
      callerNumber: call.callerNumber,
      calleeNumber: call.calleeNumber,
      ringTimeoutMs: call.limits.ringTimeoutSeconds * 1_000,
      maxDurationMs: call.limits.maxDurationSeconds * 1_000,
      admittedTrunk,
      // The carrier sends in the tick in which it is told that it may.
      mayDial: () => {
        const permitted = this.holds();
        this.#wasUsed ||= permitted;
        return permitted;
      },
      beginAttempt: async (trunk, dialog) => attempts?.begin(trunk, dialog) ?? 'refused',
      recorded: () => record.recorded(),
      rightEndsAtMs: () => lease.renewedAt().monotonicMs + LEASE_MS - LEASE_MARGIN_MS,
    };
  }

  #attempts(): Attempts | undefined {
    const { call, carrier, trunks, gate, record, clock, logger } = this.#input;
    if (!trunks) return undefined;
    return new Attempts({
      deps: { ...trunks, gate, clock },
      call,
      carrier,
      logger,
      inOrder: (write) => record.inOrder(write),
      isWanted: () => this.holds(),
    });
  }
}
