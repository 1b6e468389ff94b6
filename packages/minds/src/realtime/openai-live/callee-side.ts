import type { CalleeSpeech, MindEvent } from '../../mind.ts';
import { CalleeTurns } from '../callee-turns.ts';
import { InputSound } from './input-sound.ts';

export interface CalleeSideInput {
  /** Part of the names of turns. */
  readonly name: string;
  readonly emit: (event: MindEvent) => void;
  readonly sendSound: (ulaw: Uint8Array) => void;
  /** The provider takes sound. */
  readonly isAccepted: () => boolean;
  /** Their voice would cut off what they are to hear. */
  readonly wouldCut: (isGateOpen: boolean) => boolean;
  /** What follows was said before the answer to it. */
  readonly sendsEarlier: () => void;
}

/** The callee, as the model hears them: their sound, and the turns of it. */
export class CalleeSide {
  readonly turns: CalleeTurns;
  readonly #input: CalleeSideInput;
  readonly #sound: InputSound;
  #hasPaused = false;
  #gateOpen = false;

  constructor(input: CalleeSideInput) {
    this.#input = input;
    const { name, emit, sendSound } = input;
    this.turns = new CalleeTurns({ name, isTranscribed: true, emit });
    this.#sound = new InputSound({
      send: ({ ulaw, fromMs }) => {
        this.turns.heard(ulaw.length, fromMs);
        sendSound(ulaw);
      },
      fill: sendSound,
    });
  }

  get isGateOpen(): boolean {
    return this.#gateOpen;
  }

  /** They have said something, and are silent. */
  get awaitsAnswer(): boolean {
    return this.#hasPaused && this.turns.hasWords;
  }

  /** Their turn may be over. */
  get hasPaused(): boolean {
    return this.#hasPaused;
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#mayBeHeard) this.#sound.add({ ulaw, fromMs });
    else this.#sound.holdBack({ ulaw, fromMs }, this.#input.isAccepted());
  }

  speech(speech: CalleeSpeech): void {
    this.turns.ear(speech);
    this.#hasPaused = speech.kind === 'paused' || speech.kind === 'ended';
  }

  openGate(): void {
    this.#gateOpen = true;
  }

  /** The model begins to answer. */
  answered(): void {
    this.turns.over();
    this.#hasPaused = false;
  }

  /** Sends what was held back, if it may be heard now. `isAnswered`: what the model was asked to say followed it. */
  sendHeldBack(isAnswered: boolean): void {
    if (!this.#mayBeHeard) return;
    this.#sound.catchUp(() => {
      if (!isAnswered) return;
      this.turns.over();
      this.#input.sendsEarlier();
    });
  }

  get #mayBeHeard(): boolean {
    return this.#input.isAccepted() && !this.#input.wouldCut(this.#gateOpen);
  }
}
