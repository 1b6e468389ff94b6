import type { AudioNegotiation, NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { Direction } from '../sdp/session-description.ts';

/**
 * The audio of one dialog: every offer and answer passes through here. Before there is a negotiation (as the callee,
 * until progress or answer) it rejects every offer.
 */
export class DialogMedia {
  readonly #onAudio: (audio: NegotiatedAudio) => void;
  #negotiation: AudioNegotiation | undefined;
  #audio: NegotiatedAudio | undefined;

  constructor(negotiation: AudioNegotiation | undefined, onAudio: (audio: NegotiatedAudio) => void) {
    this.#negotiation = negotiation;
    this.#onAudio = onAudio;
  }

  /** The current audio; undefined until offer and answer are complete. */
  get audio(): NegotiatedAudio | undefined {
    return this.#audio;
  }

  /** The first negotiation stays. */
  negotiateBy(create: () => AudioNegotiation): void {
    this.#negotiation ??= create();
  }

  offer(direction?: Direction): string | undefined {
    return this.#negotiation?.offer(direction);
  }

  /** Applies the answer to our offer. False when it is unusable. Reports a change after the first answer. */
  acceptAnswer(body: Buffer): boolean {
    return this.#take(this.#negotiation?.acceptAnswer(body.toString()));
  }

  /** The answer to an offer; undefined without a common codec, and then nothing changes. */
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
