import type { Carrier, DialRequest, Leg, LegEnd, LegEvent, LegOutcome, Trunk } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import type { Process } from '../world/process.ts';
import type { FarLeg, TelephoneNetwork } from '../world/telephone-network.ts';
import type { Wire } from '../world/wire.ts';

export interface ModelCarrierInput {
  readonly wire: Wire;
  readonly process: Process;
  readonly network: TelephoneNetwork;
  /** The trunk that provides the channel; null for a carrier without trunks. */
  readonly trunk: Trunk | null;
}

/** The carrier's driver in one worker. Its legs are in the network: they outlive the worker. */
export interface ModelCarrier extends Carrier {
  /** Passes the next event of this leg to its driver. */
  hear(leg: FarLeg): void;
}

function ended(outcome: LegOutcome, by: LegEnd['by']): LegEvent {
  return { kind: 'ended', end: { outcome, by, sipCode: null, q850Cause: null, retryAfterSeconds: null } };
}

export function modelCarrier(input: ModelCarrierInput): ModelCarrier {
  const driven = new Map<FarLeg, ModelLeg>();
  return {
    name: 'model',
    writeAheadDial: input.trunk !== null,
    dial(request) {
      const leg = new ModelLeg(input, request, (far) => driven.set(far, leg));
      void leg.place();
      return leg;
    },
    endOrphan: ({ branch, answered }) =>
      input.wire.send<'gone' | 'unknown'>(input.process, 'carrier', 'end orphan', async () => {
        input.network.endOrphan({ branch, answered });
        return 'gone';
      }),
    hear: (far) => driven.get(far)?.hear(far),
  };
}

class ModelLeg implements Leg {
  readonly media = null;
  readonly #input: ModelCarrierInput;
  readonly #request: DialRequest;
  readonly #onPlaced: (far: FarLeg) => void;
  #listener: ((event: LegEvent) => void) | undefined;
  #far: FarLeg | undefined;
  #hangingUp = false;
  #over = false;

  constructor(input: ModelCarrierInput, request: DialRequest, onPlaced: (far: FarLeg) => void) {
    this.#input = input;
    this.#request = request;
    this.#onPlaced = onPlaced;
  }

  listen(listener: (event: LegEvent) => void): void {
    this.#listener = listener;
  }

  /** Looks up and connects, takes a channel, then sends the INVITE in the tick in which it is allowed. */
  async place(): Promise<void> {
    const { wire, process, network, trunk } = this.#input;
    const { callId, maxDurationMs, mayDial, awaitDialPermit, beginAttempt } = this.#request;
    try {
      await wire.send(process, 'carrier', 'connect', () => Promise.resolve());
    } catch {
      return this.#emit(ended('unavailable', 'carrier'));
    }
    const branch = network.newBranch();
    const attempt = trunk === null ? 'begun' : await beginAttempt(trunk, { branch, answered: false });
    if (attempt === 'no_channel') return this.#emit(ended('unavailable', 'carrier'));
    if (attempt === 'refused') return this.#emit(ended('not_dialled', 'us'));
    while (this.#hangingUp || !mayDial()) {
      if (this.#hangingUp || !(await awaitDialPermit())) return this.#emit(ended('not_dialled', 'us'));
    }
    const far = network.invite({ callId, branch, owner: process, maxDurationMs });
    this.#far = far;
    this.#onPlaced(far);
    // The stored dialog makes it possible to find the leg, whatever became of it.
    if (trunk === null) this.#emit({ kind: 'dialog', dialog: { branch, answered: true } });
  }

  hear(far: FarLeg): void {
    const event = far.inbox.shift();
    switch (event) {
      case 'ringing':
        return this.#emit({ kind: 'ringing', sipCode: 180 });
      case 'answered':
        return this.#answered(far);
      case 'busy':
        return this.#emit(ended('busy', 'callee'));
      case 'hung_up':
        return this.#emit(ended(far.answeredAtMs > 0 ? 'completed' : 'declined', 'callee'));
      case undefined:
        return;
      default:
        return unreachable(event);
    }
  }

  /** Acknowledges once another worker could send BYE; without trunks no other worker needs to. */
  #answered(far: FarLeg): void {
    const isAnswered = { kind: 'answered' } as const;
    if (this.#input.trunk === null) {
      far.acknowledged = true;
      return this.#emit(isAnswered);
    }
    this.#emit({ kind: 'dialog', dialog: { branch: far.branch, answered: true } });
    void this.#request.recorded().then(() => (far.acknowledged ||= !this.#over && !this.#hangingUp));
    this.#emit(isAnswered);
  }

  /** CANCEL or BYE; retransmitted until it is answered, so it may be late but is never lost. */
  hangUp(): void {
    if (this.#hangingUp) return;
    this.#hangingUp = true;
    if (this.#far) void this.#sendBye(this.#far);
  }

  transfer(): void {}

  async #sendBye(far: FarLeg): Promise<void> {
    const { wire, process, network } = this.#input;
    far.hangUpSentAtMs = Math.min(far.hangUpSentAtMs, process.clock.nowMs());
    try {
      await wire.send(process, 'carrier', 'hang up', async () => network.end(far));
      this.#emit(ended(far.answeredAtMs > 0 ? 'completed' : 'cancelled', 'us'));
    } catch {
      await this.#sendBye(far);
    }
  }

  #emit(event: LegEvent): void {
    if (this.#over) return;
    this.#over = event.kind === 'ended';
    this.#listener?.(event);
  }
}
