import { micros, type Micros, type ReservationId } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { Gate, GateToken } from '../ports/gate.ts';
import type { LegId } from '../leg.ts';
import type { BeginLegOutcome, TransferLeg, TransferStore } from '../ports/transfer-store.ts';
import type { TransferFailure } from '../ports/voice-agent.ts';
import type { CallRecord } from './call-record.ts';
import { createCreditControl, type CreditControl, type CreditControlInput } from './credit-control.ts';
import { enlargeHold } from './enlarge-hold.ts';

/** What second legs need beside the stores of their calls. */
export interface SecondLegStores {
  readonly store: TransferStore;
  readonly newLegId: () => LegId;
  readonly newReservationId: () => ReservationId;
}

export interface SecondLegFundsDeps {
  readonly store: TransferStore;
  readonly gate: Pick<Gate, 'enlarge' | 'close' | 'reserve' | 'release'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly record: Pick<CallRecord, 'inOrder'>;
}

export type BegunLeg =
  | { readonly kind: 'begun' }
  | { readonly kind: 'not_begun'; readonly reason: TransferFailure['reason'] };

const REFUSED: BeginLegOutcome = { kind: 'refused', endRequested: false };
const UNAVAILABLE: BegunLeg = { kind: 'not_begun', reason: 'unavailable' };

/** The reservation of a second leg: its own hold, and its own slot of the account and of the system. */
export class SecondLegFunds {
  readonly #deps: SecondLegFundsDeps;
  readonly #call: Pick<ClaimedCall, 'id' | 'accountId' | 'epoch'>;
  readonly #leg: TransferLeg;
  #credit: CreditControl | undefined;

  constructor(deps: SecondLegFundsDeps, call: Pick<ClaimedCall, 'id' | 'accountId' | 'epoch'>, leg: TransferLeg) {
    this.#deps = deps;
    this.#call = call;
    this.#leg = leg;
  }

  /** First the gate, then Postgres under the gate's token, as for a call. Nothing was sent before. Never rejects. */
  async begin(writeAheadDial: boolean, isWanted: () => boolean): Promise<BegunLeg> {
    const { gate, logger } = this.#deps;
    try {
      const reserved = await gate.reserve(this.#hold());
      switch (reserved.kind) {
        case 'insufficient_funds':
          return { kind: 'not_begun', reason: 'no_funds' };
        case 'capacity_exceeded':
          return { kind: 'not_begun', reason: 'no_capacity' };
        case 'closed':
        case 'duplicate':
        case 'account_unknown':
          return UNAVAILABLE;
        case 'reserved':
          break;
      }
      const outcome = isWanted() ? await this.#store(reserved.token, writeAheadDial) : REFUSED;
      if (outcome?.kind === 'begun') return outcome;
      if (outcome?.kind === 'gate_stale') await gate.close(reserved.token);
      // Whether it was stored is not known: the end of the call settles it, or the walk over the gate's holds frees it.
      if (outcome !== null) await this.release();
    } catch (error) {
      logger.warn({ event: 'call.leg_not_begun', err: error }, 'a second leg could not be begun');
      await this.release();
    }
    return UNAVAILABLE;
  }

  /** Asks again whether the leg, which is stored, may be dialed. */
  async mayStillBegin(writeAheadDial: boolean): Promise<boolean> {
    // The token counts for a leg that is not stored yet.
    const outcome = await this.#store({ generation: 0, walTimeline: '' }, writeAheadDial);
    return outcome?.kind === 'begun';
  }

  holdMicros(): Micros {
    return this.#credit?.holdMicros() ?? this.#leg.holdMicros;
  }

  /** Enlarges the hold ahead of the talk, from now on. */
  answered(events: Pick<CreditControlInput, 'answeredAtMs' | 'onExhausted' | 'onFenced'>): void {
    const { rate, holdMicros, limits, legId } = this.#leg;
    const { store, gate, clock, logger } = this.#deps;
    const { id: callId, epoch } = this.#call;
    const leg = { ...this.#hold(), id: legId, epoch };
    this.#credit = createCreditControl({
      price: { rate, maxDurationSeconds: limits.maxDurationSeconds },
      holdMicros,
      clock,
      logger,
      enlarge: (wantedMicros) =>
        enlargeHold(
          {
            gate,
            store: {
              enlargeHold: ({ holdMicros: granted, token }) =>
                store.enlargeLegHold({ callId, epoch, legId, holdMicros: granted, token }),
            },
          },
          leg,
          wantedMicros,
        ),
      ...events,
    });
  }

  stop(): void {
    this.#credit?.stop();
  }

  /** Frees hold and slot. Only of a leg that costs nothing and is not open in Postgres. Best effort, as for a call. */
  async release(): Promise<void> {
    const { callId, accountId, reservationId } = this.#hold();
    try {
      await this.#deps.gate.release({ callId, accountId, reservationId });
    } catch (error) {
      this.#deps.logger.warn({ event: 'call.release_failed', err: error }, 'release left to reconcile');
    }
  }

  #hold() {
    const { legId: callId, reservationId, holdMicros } = this.#leg;
    return { callId, accountId: this.#call.accountId, reservationId, holdMicros: micros(holdMicros) };
  }

  /** Null: the outcome is not known. In the order of the call's writes, which repeat it while Postgres is away. */
  async #store(token: GateToken, writeAheadDial: boolean): Promise<BeginLegOutcome | null> {
    const { store, record } = this.#deps;
    const { id: callId, epoch } = this.#call;
    const stored: { outcome: BeginLegOutcome | null } = { outcome: null };
    await record.inOrder(async () => {
      const outcome = await refusedIfRejected(store.beginLeg({ callId, epoch, leg: this.#leg, writeAheadDial, token }));
      stored.outcome = outcome;
      if (outcome.kind === 'fenced') return outcome;
      return { kind: 'written', endRequested: 'endRequested' in outcome && outcome.endRequested };
    });
    return stored.outcome;
  }
}

/** What Postgres rejects for its data it rejects forever. */
async function refusedIfRejected(asked: Promise<BeginLegOutcome>): Promise<BeginLegOutcome> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RowRejected) return REFUSED;
    throw error;
  }
}
