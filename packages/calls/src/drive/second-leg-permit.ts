import type { Clock, Logger } from '@outdial/kernel';
import { instantOf, isUsable, type Instant, type LeaseTimes } from '../lease.ts';
import type { Carrier, DialRequest } from '../ports/carrier.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import type { TransferLeg, TransferStore } from '../ports/transfer-store.ts';
import { DialAttempts, type TrunkDeps } from '../trunks/dial-attempts.ts';
import type { CallRecord } from './call-record.ts';
import { DialWindow } from './dial-window.ts';
import type { TrackedLease } from './lease-renewer.ts';

export interface SecondLegPermitInput {
  readonly call: Pick<ClaimedCall, 'id' | 'accountId' | 'epoch' | 'callerNumber'>;
  readonly leg: TransferLeg;
  readonly lease: Pick<TrackedLease, 'renewedAt'>;
  readonly leaseTimes: LeaseTimes;
  readonly carrier: Pick<Carrier, 'name'>;
  readonly trunks: TrunkDeps | undefined;
  readonly store: Pick<TransferStore, 'beginLegAttempt'>;
  readonly gate: Pick<Gate, 'close'>;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From before Postgres stored the leg. */
  readonly allowedAt: Instant;
  readonly isWanted: () => boolean;
  /** Whether Postgres still lets the leg be dialed. */
  readonly mayStillBegin: () => Promise<boolean>;
}

/**
 * The permit to dial a second leg, in the form in which a carrier asks for it. It needs the call's lease, as it was last renewed:
 * the leg is stored under the epoch of that lease, and no other worker begins it.
 */
export class SecondLegPermit {
  readonly #input: SecondLegPermitInput;
  readonly #attempts: DialAttempts | undefined;
  readonly #window: DialWindow;

  constructor(input: SecondLegPermitInput) {
    this.#input = input;
    this.#window = new DialWindow(input.clock, input.allowedAt);
    this.#attempts = this.#createAttempts();
  }

  /** Something may have been sent to the carrier. */
  get wasUsed(): boolean {
    return this.#window.wasUsed;
  }

  request(): DialRequest {
    const { call, leg, lease, leaseTimes, record } = this.#input;
    return {
      callId: leg.legId,
      accountId: call.accountId,
      callerNumber: call.callerNumber,
      calleeNumber: leg.calleeNumber,
      ringTimeoutMs: leg.limits.ringTimeoutSeconds * 1_000,
      maxDurationMs: leg.limits.maxDurationSeconds * 1_000,
      acquiredTrunk: null,
      mayDial: () => this.#window.use(this.#isValid()),
      awaitDialPermit: () => this.#askAgain(),
      beginAttempt: async (trunk, dialog) => this.#attempts?.begin(trunk, dialog) ?? 'refused',
      recorded: () => record.recorded(),
      rightEndsAtMs: () => lease.renewedAt().monotonicMs + leaseTimes.leaseMs - leaseTimes.marginMs,
    };
  }

  #isValid(): boolean {
    const { clock, isWanted, lease, leaseTimes } = this.#input;
    return isWanted() && isUsable(clock, lease.renewedAt(), leaseTimes);
  }

  /** A callee waits: while dialing is paused, the transfer fails. */
  async #askAgain(): Promise<boolean> {
    if (!this.#isValid()) return false;
    const sentAt = instantOf(this.#input.clock);
    if (!(await this.#input.mayStillBegin())) return false;
    this.#window.restart(sentAt);
    return true;
  }

  #createAttempts(): DialAttempts | undefined {
    const { call, leg, carrier, trunks, store, gate, record, clock, logger } = this.#input;
    if (!trunks) return undefined;
    const { legId, reservationId } = leg;
    const { id: callId, epoch } = call;
    const { attempts, ...channels } = trunks;
    return new DialAttempts({
      deps: {
        ...channels,
        gate,
        clock,
        attempts: {
          callerNumberOf: (id) => attempts.callerNumberOf(id),
          takenChannels: () => attempts.takenChannels(),
          beginAttempt: ({ trunk, dialog, token }) =>
            store.beginLegAttempt({ callId, epoch, legId, carrier: carrier.name, trunk, dialog, token }),
        },
      },
      // The gate knows the leg by its own id and reservation.
      call: { id: legId, reservationId, epoch },
      carrier: carrier.name,
      logger,
      inOrder: (write) => record.inOrder(write),
      isWanted: () => this.#isValid(),
      onBegun: (sentAt) => this.#window.restart(sentAt),
      awaitDialPermit: async () => false,
    });
  }
}
