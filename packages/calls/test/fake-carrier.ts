import { systemClock } from '@outdial/kernel';
import type { Carrier, DialRequest, Leg, LegDialog, LegEnd, LegEvent, LegMedia } from '../src/ports/carrier.ts';
import { trunkOf } from '../src/testing/trunks/trunk-of.ts';

export const legEnd = (over: Partial<LegEnd> & Pick<LegEnd, 'outcome'>): LegEnd => ({
  by: 'callee',
  sipCode: null,
  q850Cause: null,
  retryAfterSeconds: null,
  ...over,
});

const TRUNK = trunkOf({});

const SILENCE: LegMedia = {
  receive: () => undefined,
  send: () => undefined,
  clear: () => 0,
  receiveDigits: () => '',
  sendDigits: () => undefined,
};

/** A leg that the test controls. After a hang-up it ends at once unless configured to be slow. */
export class FakeLeg implements Leg {
  readonly media = SILENCE;
  readonly request: DialRequest;
  hangUps = 0;
  readonly transfers: Parameters<Leg['transfer']>[0][] = [];
  answered = false;
  ended = false;
  /** Null: the carrier never reports that the leg is gone. */
  confirmsAfterMs: number | null = 0;
  #listener: ((event: LegEvent) => void) | undefined;
  #pending: LegEvent[] = [];

  constructor(request: DialRequest) {
    this.request = request;
  }

  listen(listener: (event: LegEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#pending.splice(0)) listener(event);
  }

  emit(event: LegEvent): void {
    if (this.ended) return;
    if (event.kind === 'answered') this.answered = true;
    if (event.kind === 'ended') this.ended = true;
    if (this.#listener) this.#listener(event);
    else this.#pending.push(event);
  }

  end(end: Partial<LegEnd> & Pick<LegEnd, 'outcome'>): void {
    this.emit({ kind: 'ended', end: legEnd(end) });
  }

  hangUp(): void {
    this.hangUps += 1;
    if (this.hangUps > 1 || this.confirmsAfterMs === null) return;
    if (this.confirmsAfterMs === 0) queueMicrotask(() => this.leave());
    else systemClock.after(this.confirmsAfterMs, () => this.leave());
  }

  transfer(request: Parameters<Leg['transfer']>[0]): void {
    this.transfers.push(request);
  }

  /** The far end has confirmed that we are gone. */
  leave(): void {
    this.end({ outcome: this.answered ? 'completed' : 'cancelled', by: 'us' });
  }
}

export class FakeCarrier implements Carrier {
  readonly name = 'fake';
  writeAheadDial = false;
  readonly legs: FakeLeg[] = [];
  readonly orphansEnded: LegDialog[] = [];
  /** `silent`: its far end never answers. */
  orphanAnswer: 'gone' | 'unknown' | 'silent' | Error = 'gone';
  /** The far end cannot reach the driver: its legs do not learn that another worker has ended them. */
  driverCutOff = false;
  /** How long after `dial` the carrier is ready to send and asks `mayDial`. */
  connectMs = 0;
  refusesToDial = false;
  /** Called in the tick in which a telephone is reached. */
  onDialled: () => void = () => undefined;
  confirmsAfterMs: number | null = 0;

  dial(request: DialRequest): Leg {
    if (this.refusesToDial) throw new Error('no trunk is configured');
    const leg = new FakeLeg(request);
    leg.confirmsAfterMs = this.confirmsAfterMs;
    const send = async () => {
      const dialog = { leg: this.legs.length + 1 };
      if (this.writeAheadDial && (await request.beginAttempt(TRUNK, dialog)) !== 'begun')
        return leg.end({ outcome: 'not_dialled', by: 'us' });
      while (!leg.ended && !request.mayDial())
        if (!(await request.awaitDialPermit())) return leg.end({ outcome: 'not_dialled', by: 'us' });
      if (leg.ended) return;
      this.legs.push(leg);
      this.onDialled();
      leg.emit({ kind: 'dialog', dialog: { leg: this.legs.length } });
    };
    if (this.connectMs === 0) void send();
    else systemClock.after(this.connectMs, () => void send());
    return leg;
  }

  async endOrphan(dialog: LegDialog): Promise<'gone' | 'unknown'> {
    this.orphansEnded.push(dialog);
    if (this.orphanAnswer instanceof Error) throw this.orphanAnswer;
    if (this.orphanAnswer === 'silent') return new Promise(() => undefined);
    if (this.orphanAnswer === 'gone' && !this.driverCutOff) this.#legOf(dialog)?.leave();
    return this.orphanAnswer;
  }

  #legOf(dialog: LegDialog): FakeLeg | undefined {
    return typeof dialog['leg'] === 'number' ? this.legs[dialog['leg'] - 1] : undefined;
  }
}
