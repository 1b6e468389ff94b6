import { randomUUID } from 'node:crypto';
import type { DialRequest, Leg, LegEnd, LegEvent, TransferOutcome } from '@outdial/calls';
import type { TransferTarget } from '@outdial/contracts';
import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import { EventChannel } from '@outdial/telephony';
import type { CalleeSignal, Persona } from '../personas/persona.ts';
import type { NumberTable } from '../personas/test-numbers.ts';
import type { BeginFarEnd, FarEnd, PrepareFarEnd } from './far-end.ts';
import {
  CALLEE_HUNG_UP,
  CANCELLED,
  CANCELLED_WITHOUT_RESPONSE,
  NETWORK_CUT,
  NO_ANSWER,
  NOT_DIALED,
  NO_RESPONSE,
  WE_HUNG_UP,
  refusal,
} from './leg-ends.ts';
import { LegTransfers } from './leg-transfers.ts';
import { MediaPath } from './media-path.ts';
import { switchboard } from './switchboard.ts';

/** Until the far end confirms a CANCEL or a BYE. */
const ROUND_TRIP_MS = 20;
/** How long an INVITE waits for any response: timer B (RFC 3261 section 17.1.1.2), 64 × T1. */
const TIMER_B_MS = 32_000;
/** The network cuts a call this long after its maximum duration, which we count in real time. */
const NETWORK_GRACE_MS = 10_000;

/** `connecting`: nothing was sent yet. `leaving`: we hung up, and the far end has not confirmed it. */
type LegState = 'connecting' | 'dialing' | 'ringing' | 'answered' | 'leaving' | 'ended';

export interface SimulatedLegOptions {
  readonly request: DialRequest;
  readonly persona: Persona;
  /** Whom a transfer reaches. */
  readonly table: NumberTable;
  readonly prepareFarEnd: PrepareFarEnd;
  /** Timers in network time. */
  readonly network: Pick<Clock, 'after'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly connectMs: number;
  /** Called in the tick in which the callee's telephone is reached. */
  readonly onDialled: () => void;
  readonly onEnded: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** One call through the simulated network. */
export class SimulatedLeg implements Leg {
  readonly id = randomUUID();
  readonly media = new MediaPath();
  readonly #options: SimulatedLegOptions;
  readonly #events = new EventChannel<LegEvent>();
  #state: LegState = 'connecting';
  /** We hung up, but a CANCEL cannot be sent yet. */
  #cancelled = false;
  readonly #endWaiters: (() => void)[] = [];
  readonly #transfers: LegTransfers;
  #farEnd: FarEnd | undefined;
  /** What ends the call if nothing else does: timer B, the ring timeout, the network's limit, or the round trip. */
  #guard: Timer | undefined;

  constructor(options: SimulatedLegOptions) {
    this.#options = options;
    const onOutcome = (outcome: TransferOutcome, target: TransferTarget) =>
      this.#events.emit({ kind: 'transfer', outcome, target });
    this.#transfers = new LegTransfers({ ...options, roundTripMs: ROUND_TRIP_MS, onOutcome });
  }

  /** Connects, then dials. Never rejects. */
  async begin(): Promise<void> {
    const { persona, prepareFarEnd, connectMs, onFailure } = this.#options;
    try {
      const beginFarEnd = await prepareFarEnd(persona);
      if (this.#state !== 'connecting') return;
      if (connectMs > 0) this.#watch(connectMs, () => this.#dial(beginFarEnd));
      else this.#dial(beginFarEnd);
    } catch (error) {
      onFailure(error);
      if (this.#state !== 'leaving') this.#end(NO_RESPONSE);
    }
  }

  listen(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  hangUp(): void {
    switch (this.#state) {
      case 'connecting':
        this.#leave(CANCELLED_WITHOUT_RESPONSE);
        break;
      case 'dialing':
        // A CANCEL needs a provisional response (RFC 3261 section 9.1): without one only timer B ends the call.
        if (this.#options.persona.reachable) this.#leave(CANCELLED);
        else this.#cancelled = true;
        break;
      case 'ringing':
        this.#leave(CANCELLED);
        break;
      case 'answered':
        this.#leave(WE_HUNG_UP);
        break;
      case 'leaving':
      case 'ended':
        break;
    }
  }

  transfer(request: Parameters<Leg['transfer']>[0]): void {
    if (this.#state === 'answered') this.#transfers.begin(request);
  }

  /** Resolves once the far end is known to be gone. */
  whenEnded(): Promise<void> {
    if (this.#state === 'ended') return Promise.resolve();
    return new Promise((resolve) => this.#endWaiters.push(resolve));
  }

  /** Hangs up, and ends once the far end has confirmed it. */
  #leave(end: LegEnd): void {
    this.#state = 'leaving';
    this.#transfers.stop();
    this.#farEnd?.stop();
    this.media.close();
    this.#watch(ROUND_TRIP_MS, () => this.#end(end));
  }

  #dial(beginFarEnd: BeginFarEnd): void {
    const { request, persona, onDialled } = this.#options;
    if (!request.mayDial()) {
      void this.#dialLater(beginFarEnd);
      return;
    }
    this.#state = 'dialing';
    onDialled();
    this.#events.emit({ kind: 'dialog', dialog: { leg: this.id, ...switchboard.address } });
    if (persona.reachable) this.#watch(request.ringTimeoutMs, () => this.#leave(NO_ANSWER));
    else this.#watch(TIMER_B_MS, () => this.#end(this.#cancelled ? CANCELLED_WITHOUT_RESPONSE : NO_RESPONSE));
    this.#farEnd = beginFarEnd({ line: this.media, onSignal: (signal) => this.#onSignal(signal) });
  }

  /** Waits while dialing is paused. */
  async #dialLater(beginFarEnd: BeginFarEnd): Promise<void> {
    const isRegained = await this.#options.request.awaitDialPermit();
    if (this.#state !== 'connecting') return;
    if (isRegained) this.#dial(beginFarEnd);
    else this.#end(NOT_DIALED);
  }

  #onSignal(signal: CalleeSignal): void {
    switch (signal.kind) {
      case 'ring':
        this.#ring(180);
        break;
      case 'progress':
        this.#ring(183);
        break;
      case 'answer':
        this.#answer();
        break;
      case 'reject':
        this.#end(refusal(signal));
        break;
      case 'hang_up':
        this.#end(CALLEE_HUNG_UP);
        break;
      case 'hold':
        this.#events.emit({ kind: 'on_hold', isOnHold: signal.held });
        break;
      case 'press':
        this.media.pressedByCallee(signal.digits);
        break;
      default:
        unreachable(signal);
    }
  }

  #ring(sipCode: number): void {
    if (this.#state !== 'dialing') return;
    this.#state = 'ringing';
    this.#events.emit({ kind: 'ringing', sipCode });
  }

  #answer(): void {
    this.#state = 'answered';
    const { request, clock } = this.#options;
    this.#watch(request.maxDurationMs + NETWORK_GRACE_MS, () => this.#end(NETWORK_CUT), clock);
    this.#events.emit({ kind: 'answered' });
  }

  #watch(ms: number, then: () => void, clock = this.#options.network): void {
    this.#guard?.cancel();
    this.#guard = clock.after(ms, then);
  }

  #end(end: LegEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#guard?.cancel();
    this.#transfers.stop();
    this.#farEnd?.stop();
    this.media.close();
    this.#options.onEnded();
    this.#events.emit({ kind: 'ended', end });
    for (const resolve of this.#endWaiters) resolve();
  }
}
