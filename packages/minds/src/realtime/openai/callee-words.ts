import { unreachable } from '@outdial/kernel';
import type { MindEvent } from '../../mind.ts';
import { HeardTurns } from './heard-turns.ts';
import type { HeardEvent } from './wire.ts';

export interface CalleeWordsInput {
  /** Otherwise no words follow a turn. */
  readonly isTranscribed: boolean;
  readonly emit: (event: MindEvent) => void;
}

/** What the callee says, turn by turn, as the provider reports it. */
export class CalleeWords {
  readonly #input: CalleeWordsInput;
  readonly #turns = new HeardTurns();

  constructor(input: CalleeWordsInput) {
    this.#input = input;
  }

  /** Sound was sent: µ-law at 8 kHz, heard from `fromMs` on. */
  sent(bytes: number, fromMs: number): void {
    this.#turns.sent(bytes, fromMs);
  }

  /** Some turn awaits its end, or its words. */
  get pending(): boolean {
    return this.#turns.pending;
  }

  get isSpeaking(): boolean {
    return this.#turns.underWay !== null;
  }

  handle(event: HeardEvent): void {
    switch (event.type) {
      case 'input_audio_buffer.speech_started': {
        const atMs = this.#turns.started(event.item_id, event.audio_start_ms);
        this.sayUnderstood();
        return this.#input.emit({ kind: 'callee_speaking', atMs });
      }
      case 'input_audio_buffer.speech_stopped':
        this.#turns.stopped(event.item_id, event.audio_end_ms);
        return this.#withoutWords(event.item_id);
      case 'input_audio_buffer.committed':
        this.#turns.committed(event.item_id);
        return this.#withoutWords(event.item_id);
      case 'conversation.item.input_audio_transcription.completed': {
        const text = event.transcript.trim();
        if (this.#turns.understood(event.item_id, text)) return;
        return this.#said(event.item_id, text === '' ? null : text);
      }
      case 'conversation.item.input_audio_transcription.updated':
        this.#turns.understood(event.item_id, event.transcript.trim());
        return;
      case 'conversation.item.input_audio_transcription.failed':
        return this.#said(event.item_id, null);
      default:
        return unreachable(event);
    }
  }

  /** Turns whose words the provider did not complete: before the next one, and at the end. */
  sayUnderstood(): void {
    for (const { item, text, ...times } of this.#turns.takeUnderstood()) {
      this.#input.emit({ kind: 'callee_said', turn: item, text: text === '' ? null : text, ...times });
    }
  }

  #withoutWords(turn: string): void {
    const times = this.#input.isTranscribed ? undefined : this.#turns.take(turn);
    if (times !== undefined) this.#input.emit({ kind: 'callee_said', turn, text: null, ...times });
  }

  #said(turn: string, text: string | null): void {
    const times = this.#turns.take(turn);
    if (times === undefined)
      return this.#input.emit({ kind: 'ignored', message: 'a transcription of an unknown turn' });
    this.#input.emit({ kind: 'callee_said', turn, text, ...times });
  }
}
