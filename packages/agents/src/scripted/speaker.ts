import type { Frame } from '@outdial/calls';
import type { Heard } from '../hearing/ear.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { Line } from './line.ts';
import { createMouth, type Utterance } from './mouth.ts';
import { BARGE_IN_SPEECH_MS } from './phase.ts';

/** What has become of the line under way. */
export type LineProgress =
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It was played to its end. `spokenOver`: the callee spoke during it. */
  | { readonly kind: 'finished'; readonly line: Line; readonly spokenOver: boolean };

/** The lines that the agent says, one at a time, and the record of what was really played of each. */
export class Speaker {
  readonly #record: ConversationRecord;
  readonly #mouth = createMouth();
  #firstWordMs: number | undefined;
  #spokenOver = false;

  constructor(record: ConversationRecord) {
    this.#record = record;
  }

  get firstWordMs(): number | undefined {
    return this.#firstWordMs;
  }

  /** The line that was begun and is not over. */
  line(): Line | undefined {
    return this.#mouth.line();
  }

  say(line: Line): void {
    // Its turn to be prepared may not have come yet.
    void line.prepare();
    this.#mouth.say(line);
    this.#spokenOver = false;
  }

  speak(nowMs: number): Frame | undefined {
    const frame = this.#mouth.pull(nowMs);
    if (frame !== undefined) this.#firstWordMs ??= nowMs;
    return frame;
  }

  /** Once for every frame that is heard. */
  follow(heard: Heard): LineProgress | undefined {
    const speech = this.#mouth.line()?.speech();
    if (speech?.state === 'failed') {
      this.stop();
      return { kind: 'failed', error: speech.error };
    }
    const turn = heard.turn ?? heard.ended;
    if (speech !== undefined && turn !== undefined && turn.speechMs >= BARGE_IN_SPEECH_MS) this.#spokenOver = true;
    const finished = this.#takeFinished();
    return finished && { kind: 'finished', line: finished.line, spokenOver: this.#spokenOver };
  }

  /** Ends the line under way: what was played of it, or undefined if nothing was. */
  stop(): Utterance | undefined {
    this.#takeFinished();
    const spoken = this.#mouth.stop();
    if (spoken !== undefined) this.#record.agentSpoke(spoken);
    return spoken;
  }

  #takeFinished(): Utterance | undefined {
    const finished = this.#mouth.takeFinished();
    if (finished !== undefined) this.#record.agentSpoke(finished);
    return finished;
  }
}
