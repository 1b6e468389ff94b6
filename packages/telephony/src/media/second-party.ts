import { FRAME_SAMPLES, type Frame, type LegMedia } from '@outdial/calls';
import { SILENCE } from './frames.ts';
import { holdSignal } from './hold-signal.ts';

/** One tick of a call with a waiting callee, or with two people. */
export interface PartyTick {
  readonly toCallee: Frame;
  /** For the channel of the recording that has the agent otherwise. */
  readonly besideCallee: Frame;
}

/** The other person of a warm transfer: first none, while the callee waits; then who answered; then both hear each other. */
export class SecondParty {
  readonly #callee: LegMedia;
  #media: LegMedia | null = null;
  #isConnected = false;
  #waitedFrames = 0;
  /** Of every tick. */
  readonly #sum: Frame = new Int16Array(FRAME_SAMPLES);

  constructor(callee: LegMedia) {
    this.#callee = callee;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Who answered hears the agent from now on. */
  answered(media: LegMedia): void {
    media.receiveDigits();
    this.#media = media;
  }

  connect(): void {
    this.#isConnected = true;
    // What either pressed before was not meant for the other.
    this.#callee.receiveDigits();
    this.#media?.receiveDigits();
  }

  /** The callee waits; the agent speaks to who answered, if anyone has. */
  wait(spoken: Frame | undefined): PartyTick {
    const heard = this.#media?.receive() ?? SILENCE;
    if (this.#media && spoken) this.#media.send(spoken);
    this.#waitedFrames += 1;
    return {
      toCallee: holdSignal(this.#waitedFrames - 1),
      besideCallee: spoken ? add(spoken, heard, this.#sum) : heard,
    };
  }

  /** Passes sound and keys on, in both directions. */
  relay(heard: Frame): PartyTick {
    const said = this.#media?.receive() ?? SILENCE;
    this.#media?.send(heard);
    passKeys(this.#callee, this.#media);
    passKeys(this.#media, this.#callee);
    return { toCallee: said, besideCallee: said };
  }

  /** Drops what of the agent was not played yet. */
  clear(): void {
    this.#media?.clear();
  }
}

function passKeys(from: LegMedia | null, to: LegMedia | null): void {
  const keys = from?.receiveDigits() ?? '';
  if (keys !== '') to?.sendDigits(keys);
}

function add(one: Frame, other: Frame, sum: Frame): Frame {
  for (let at = 0; at < sum.length; at += 1) {
    sum[at] = Math.max(-32_768, Math.min(32_767, (one[at] ?? 0) + (other[at] ?? 0)));
  }
  return sum;
}
