import type { Frame } from '@outdial/calls';
import type { Heard } from '../hearing/turn-detector.ts';
import type { ConversationRecord } from '../transcript/conversation-record.ts';
import type { ScriptLine } from './script-line.ts';
import { createLinePlayer, type Utterance } from './line-player.ts';
import { BARGE_IN_SPEECH_MS } from './phase.ts';

/** How the current line ended. */
export type LineProgress =
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The line was played to its end. `spokenOver`: the callee spoke during it. */
  | { readonly kind: 'finished'; readonly line: ScriptLine; readonly spokenOver: boolean };

/** Speaks lines, one at a time, and records the played part of each. */
export class Speaker {
  readonly #record: ConversationRecord;
  readonly #player = createLinePlayer();
  #firstWordMs: number | undefined;
  #spokenOver = false;

  constructor(record: ConversationRecord) {
    this.#record = record;
  }

  get firstWordMs(): number | undefined {
    return this.#firstWordMs;
  }

  /** The current line. */
  line(): ScriptLine | undefined {
    return this.#player.line();
  }

  say(line: ScriptLine): void {
    // Its scheduled preparation may not have started yet.
    void line.prepare();
    this.#player.say(line);
    this.#spokenOver = false;
  }

  speak(nowMs: number): Frame | undefined {
    const frame = this.#player.pull(nowMs);
    if (frame !== undefined) this.#firstWordMs ??= nowMs;
    return frame;
  }

  /** Call it once per heard frame. */
  follow(heard: Heard): LineProgress | undefined {
    const speech = this.#player.line()?.speech();
    if (speech?.state === 'failed') {
      this.stop();
      return { kind: 'failed', error: speech.error };
    }
    const turn = heard.turn ?? heard.ended;
    if (speech !== undefined && turn !== undefined && turn.speechMs >= BARGE_IN_SPEECH_MS) this.#spokenOver = true;
    const finished = this.#takeFinished();
    return finished && { kind: 'finished', line: finished.line, spokenOver: this.#spokenOver };
  }

  /** Ends the current line and returns its played part, or undefined if nothing was played. */
  stop(): Utterance | undefined {
    this.#takeFinished();
    const spoken = this.#player.stop();
    if (spoken !== undefined) this.#noteSpoken(spoken);
    return spoken;
  }

  #takeFinished(): Utterance | undefined {
    const finished = this.#player.takeFinished();
    if (finished !== undefined) this.#noteSpoken(finished);
    return finished;
  }

  #noteSpoken({ line, text, startMs, endMs, playedShare }: Utterance): void {
    const interrupted = playedShare < 1;
    this.#record.agentSpoke({ text, startMs, endMs, interrupted, source: 'script' });
    if (line.purpose === 'voicemail' && !interrupted) this.#record.leftMessage();
  }
}
