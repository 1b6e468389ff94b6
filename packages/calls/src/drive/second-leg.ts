import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import { instantOf, LEASE_TIMES } from '../lease.ts';
import type { Leg, LegEnd, LegEvent } from '../ports/carrier.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { LegResult } from '../leg.ts';
import type { LegChange, TransferLeg } from '../ports/transfer-store.ts';
import type { TransferFailure } from '../ports/voice-agent.ts';
import { monotonicNowMs, type CallTimes } from '../settle/call-times.ts';
import { NOT_DIALED } from '../settle/leg-report.ts';
import type { SecondLegReport } from '../settle/leg-settlement.ts';
import type { CallRecord } from './call-record.ts';
import type { LegDriverDeps } from './leg-driver-input.ts';
import { LegLimit } from './leg-limit.ts';
import type { TrackedLease } from './lease-renewer.ts';
import { SecondLegFunds, type SecondLegStores } from './second-leg-funds.ts';
import { SecondLegPermit } from './second-leg-permit.ts';
import { legFailureOf, legResultOf } from './second-leg-end.ts';

export type SecondLegDeps = Pick<LegDriverDeps, 'carrier' | 'gate' | 'trunks' | 'leaseTimes'> & {
  readonly stores: SecondLegStores;
  readonly clock: Clock;
  readonly logger: Logger;
};

export interface SecondLegInput {
  readonly call: ClaimedCall;
  readonly leg: TransferLeg;
  readonly lease: Pick<TrackedLease, 'renewedAt'>;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded' | 'write'>;
  readonly times: CallTimes;
  /** The call is being hung up, or is over. */
  readonly isLeaving: () => boolean;
  /** The destination has answered. */
  readonly onAnswered: (leg: Leg) => void;
  /** Its hold is exhausted at that moment. */
  readonly onExhausted: (atMs: number) => void;
  /** The leg is gone. */
  readonly onOver: (failure: TransferFailure) => void;
  readonly onFenced: () => void;
}

/** A call's leg to the destination of a warm transfer: its hold, its dial, its talk, its end. */
export class SecondLeg {
  readonly #deps: SecondLegDeps;
  readonly #input: SecondLegInput;
  readonly #funds: SecondLegFunds;
  readonly #limit: LegLimit;
  #permit: SecondLegPermit | undefined;
  #leg: Leg | undefined;
  #dialledAtMs = 0;
  #answeredAtMs: number | null = null;
  #connectedAtMs: number | null = null;
  #hangUpAtMs: number | null = null;
  #end: { readonly end: LegEnd; readonly atMs: number } | null = null;
  #isStored = false;
  readonly #whenOver: (() => void)[] = [];

  constructor(deps: SecondLegDeps, input: SecondLegInput) {
    const { call, leg, record } = input;
    const { store } = deps.stores;
    this.#deps = deps;
    this.#input = input;
    this.#limit = new LegLimit(deps.clock, leg.limits);
    this.#funds = new SecondLegFunds({ ...deps, store, record }, call, leg);
  }

  /** Reserves, stores and dials the leg. A reason: it was not dialed. Never rejects. */
  async begin(): Promise<TransferFailure['reason'] | null> {
    const { carrier, clock } = this.#deps;
    const allowedAt = instantOf(clock);
    const begun = await this.#funds.begin(carrier.writeAheadDial, () => !this.#isUnwanted());
    if (begun.kind !== 'begun') return begun.reason;
    this.#isStored = true;
    if (this.#isUnwanted()) {
      // Settled with the call, which ends.
      this.#onEnded(NOT_DIALED);
      return null;
    }
    this.#dial(new SecondLegPermit({ ...this.#permitInput(), allowedAt }));
    return null;
  }

  get isConnected(): boolean {
    return this.#connectedAtMs !== null;
  }

  /** The callee and the destination hear each other. */
  connected(): void {
    if (this.#answeredAtMs === null || this.#connectedAtMs !== null) return;
    this.#connectedAtMs = monotonicNowMs(this.#deps.clock);
    this.#save({ connectedAtMs: this.#input.times.wallMsOf(this.#connectedAtMs) });
  }

  /** Its billing stops at that moment, however long the far end takes to confirm. Before the dial it prevents the dial. */
  hangUp(atMs: number): void {
    this.#funds.stop();
    if (this.#end !== null || this.#hangUpAtMs !== null) return;
    this.#hangUpAtMs = atMs;
    if (!this.#leg) return;
    this.#limit.hangingUp(this.#dialledAtMs, () => {
      this.#deps.logger.error(
        { event: 'call.leg_end_not_reported' },
        'the carrier never reported that the leg is gone',
      );
      this.#onEnded({ ...NOT_DIALED, outcome: this.#answeredAtMs === null ? 'cancelled' : 'completed' });
    });
    this.#leg.hangUp();
  }

  /** Resolves once the leg is gone, or can no longer be up. At once if it was never dialed. */
  gone(): Promise<void> {
    if (this.#end !== null || !this.#leg) return Promise.resolve();
    return new Promise((resolve) => this.#whenOver.push(resolve));
  }

  /** Null: nothing of it is stored. */
  report(): SecondLegReport | null {
    if (!this.#isStored) return null;
    const { legId, rate } = this.#input.leg;
    const nowMs = monotonicNowMs(this.#deps.clock);
    const endedAtMs = this.#end?.atMs ?? nowMs;
    return {
      legId,
      rate,
      holdMicros: this.#funds.holdMicros(),
      answeredAtMs: this.#answeredAtMs,
      overAtMs: Math.min(this.#hangUpAtMs ?? endedAtMs, endedAtMs),
      result: this.#result(),
      sipCode: this.#end?.end.sipCode ?? null,
    };
  }

  #isUnwanted(): boolean {
    return this.#hangUpAtMs !== null || this.#input.isLeaving();
  }

  #permitInput() {
    const { carrier, trunks, gate, clock, logger, stores, leaseTimes = LEASE_TIMES } = this.#deps;
    const { call, leg, lease, record } = this.#input;
    return {
      call,
      leg,
      lease,
      record,
      leaseTimes,
      carrier,
      trunks,
      gate,
      clock,
      logger,
      store: stores.store,
      isWanted: () => !this.#isUnwanted(),
      mayStillBegin: () => this.#funds.mayStillBegin(carrier.writeAheadDial),
    };
  }

  #dial(permit: SecondLegPermit): void {
    const { carrier, clock, logger } = this.#deps;
    this.#permit = permit;
    this.#dialledAtMs = monotonicNowMs(clock);
    try {
      this.#leg = carrier.dial(permit.request());
    } catch (error) {
      logger.error({ event: 'call.dial_failed', err: error }, 'the carrier failed to dial');
      return this.#onEnded({ ...NOT_DIALED, outcome: 'unavailable' });
    }
    this.#limit.ringing(this.#dialledAtMs, () => this.hangUp(monotonicNowMs(clock)));
    this.#leg.listen((event) => this.#onEvent(event));
  }

  #onEvent(event: LegEvent): void {
    switch (event.kind) {
      case 'dialog':
        return this.#save({ dialog: { carrier: this.#deps.carrier.name, dialog: event.dialog } });
      case 'answered':
        return this.#onAnswered();
      case 'ended':
        return this.#onEnded(event.end);
      case 'ringing':
      case 'on_hold':
      case 'transfer':
        return;
      default:
        return unreachable(event);
    }
  }

  #onAnswered(): void {
    // The carrier undoes an answer that crosses our hang-up: there is no charge.
    if (this.#answeredAtMs !== null || this.#isUnwanted() || !this.#leg) return;
    const { onExhausted, onFenced, onAnswered, times } = this.#input;
    const answeredAtMs = monotonicNowMs(this.#deps.clock);
    this.#answeredAtMs = answeredAtMs;
    this.#limit.cancel();
    this.#save({ answeredAtMs: times.wallMsOf(answeredAtMs) });
    this.#funds.answered({ answeredAtMs, onExhausted, onFenced });
    onAnswered(this.#leg);
  }

  #onEnded(end: LegEnd): void {
    if (this.#end !== null) return;
    const atMs = monotonicNowMs(this.#deps.clock);
    this.#end = { end, atMs };
    this.#funds.stop();
    this.#limit.cancel();
    this.#saveEnd(Math.min(this.#hangUpAtMs ?? atMs, atMs));
    for (const wake of this.#whenOver.splice(0)) wake();
    this.#input.onOver(legFailureOf(end, { wasAnswered: this.#answeredAtMs !== null }));
  }

  #result(): LegResult {
    return legResultOf(this.#end?.end ?? null, {
      wasDialed: this.#permit?.wasUsed === true,
      wasAnswered: this.#answeredAtMs !== null,
      wasConnected: this.isConnected,
    });
  }

  /** Without an answer it costs nothing: Postgres settles it with that, and then nothing is held for it any more. */
  #saveEnd(atMs: number): void {
    const change: LegChange = {
      ended: {
        atMs: this.#input.times.wallMsOf(atMs),
        result: this.#result(),
        sipCode: this.#end?.end.sipCode ?? null,
      },
    };
    const isFree = this.#answeredAtMs === null;
    this.#save(change, () => {
      if (isFree) void this.#funds.release();
    });
  }

  #save(change: LegChange, onSaved: () => void = () => undefined): void {
    const { call, leg, record } = this.#input;
    const { id: callId, epoch } = call;
    record.write(async () => {
      const outcome = await this.#deps.stores.store.saveLeg({ callId, epoch, legId: leg.legId, change });
      if (outcome.kind === 'written') onSaved();
      return outcome;
    });
  }
}
