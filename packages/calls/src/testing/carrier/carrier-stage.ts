import { invariant } from '@outdial/kernel';
import type { Carrier, DialRequest, Leg, LegDialog, LegEnd, LegEvent } from '../../ports/carrier.ts';
import type { Stage } from '../stage-for-each.ts';

/** `leaves`: answers, and hangs up later. `stays`: answers, and does not. `rings`: never answers. */
export type Callee = 'leaves' | 'stays' | 'rings' | 'busy';

/** A carrier with telephones of every kind. */
export interface CarrierStage extends Stage {
  readonly carrier: Carrier;
  /** A request that may be dialed. */
  readonly request: (callee: Callee, changes: Partial<DialRequest>) => DialRequest;
  /** How many telephones were reached. */
  readonly reached: () => number;
  /** A network whose time the test drives: lets time pass until then. Other networks go on by themselves. */
  readonly pass?: (happened: () => boolean) => Promise<void>;
  /** What a leg needs beside its listener, such as its media. */
  readonly attach?: (request: DialRequest, leg: Leg) => (event: LegEvent) => void;
}

/** A leg, and everything that it reported. */
export class PlacedLeg {
  readonly leg: Leg;
  readonly events: LegEvent[] = [];
  /** What was stored for another worker that has to end the leg. */
  dialog: LegDialog | undefined;
  attempts = 0;
  readonly #stage: CarrierStage;
  readonly #attached: (event: LegEvent) => void;
  #wake: (() => void)[] = [];

  constructor(stage: CarrierStage, callee: Callee, changes: Partial<DialRequest> = {}) {
    this.#stage = stage;
    const begin = changes.beginAttempt ?? (async () => 'begun' as const);
    const request = stage.request(callee, {
      ...changes,
      beginAttempt: (trunk, dialog) => {
        this.attempts += 1;
        this.dialog = dialog;
        return begin(trunk, dialog);
      },
    });
    this.leg = stage.carrier.dial(request);
    this.#attached = stage.attach?.(request, this.leg) ?? (() => undefined);
  }

  listen(): this {
    this.leg.listen((event) => {
      this.events.push(event);
      if (event.kind === 'dialog') this.dialog = event.dialog;
      this.#attached(event);
      for (const wake of this.#wake.splice(0)) wake();
    });
    return this;
  }

  /** Without the dialogs, whose number is the carrier's own affair. */
  get kinds(): readonly LegEvent['kind'][] {
    return this.events.map(({ kind }) => kind).filter((kind) => kind !== 'dialog');
  }

  async until(kind: LegEvent['kind']): Promise<void> {
    const happened = () => this.events.some((event) => event.kind === kind);
    if (this.#stage.pass) return this.#stage.pass(happened);
    while (!happened()) await new Promise<void>((wake) => this.#wake.push(wake));
  }

  async end(): Promise<LegEnd> {
    await this.until('ended');
    const [end, ...more] = this.events.flatMap((event) => (event.kind === 'ended' ? [event.end] : []));
    invariant(end && more.length === 0, 'a leg ends once');
    return end;
  }
}
