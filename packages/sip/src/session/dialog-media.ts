import type { AudioNegotiation, NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { Direction } from '../sdp/session-description.ts';

/**
 * The audio of one dialog: every description that goes or comes passes through here. Before there is a negotiation, on
 * the callee's side until it progresses or answers, every offer is refused.
 */
export class DialogMedia {
  readonly #onAudio: (audio: NegotiatedAudio) => void;
  #negotiation: AudioNegotiation | undefined;
  #audio: NegotiatedAudio | undefined;

  constructor(negotiation: AudioNegotiation | undefined, onAudio: (audio: NegotiatedAudio) => void) {
    this.#negotiation = negotiation;
    this.#onAudio = onAudio;
  }

  /** What holds now; undefined until both sides have said something. */
  get audio(): NegotiatedAudio | undefined {
    return this.#audio;
  }

  /** The first one stays. */
  negotiateBy(create: () => AudioNegotiation): void {
    this.#negotiation ??= create();
  }

  offer(direction?: Direction): string | undefined {
    return this.#negotiation?.offer(direction);
  }

  /** Takes the answer to our offer. False when it is of no use. A change after the first answer is told. */
  acceptAnswer(body: Buffer): boolean {
    return this.#take(this.#negotiation?.acceptAnswer(body.toString()));
  }

  /** The answer to an offer, or undefined when there is nothing in common: then nothing has changed. */
  answer(body: Buffer): string | undefined {
    const answered = this.#negotiation?.answer(body.toString());
    this.#take(answered?.audio);
    return answered?.sdp;
  }

  #take(audio: NegotiatedAudio | undefined): boolean {
    if (audio === undefined) return false;
    const changed = this.#audio !== undefined && JSON.stringify(audio) !== JSON.stringify(this.#audio);
    this.#audio = audio;
    if (changed) this.#onAudio(audio);
    return true;
  }
}
