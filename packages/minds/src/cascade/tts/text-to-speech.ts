import type { ProviderFailure, UsageEntry } from '../../mind.ts';

/** Words with the space after them, and their place in the sound of their utterance. */
export interface SpokenWords {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** An utterance is what one voice says in one breath of text: its parts are spoken as one. */
export type TextToSpeechEvent =
  | { readonly kind: 'ready' }
  /** µ-law at 8 kHz, faster than it is played. */
  | { readonly kind: 'sound'; readonly utterance: string; readonly ulaw: Uint8Array }
  /** Only from providers that report times. */
  | { readonly kind: 'words'; readonly utterance: string; readonly words: readonly SpokenWords[] }
  | { readonly kind: 'over'; readonly utterance: string }
  /** The provider's own word for what was heard of a canceled utterance. */
  | { readonly kind: 'heard'; readonly utterance: string; readonly text: string }
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'ignored'; readonly message: string }
  /** The last event. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface TextToSpeech {
  /** Whether `words` come with their places in the sound. */
  readonly tellsTimes: boolean;
  /** More text of an utterance; its first text begins it. What comes before the provider is ready waits. */
  speak(utterance: string, text: string): void;
  /** No more text follows. */
  finish(utterance: string): void;
  /** Nothing of it is wanted any more. No sound of it follows. */
  cancel(utterance: string, playedMs: number): void;
  /** Emits the usage that is left. Idempotent. No event follows. */
  close(): void;
}

export type OpenTextToSpeech = (listener: (event: TextToSpeechEvent) => void) => TextToSpeech;
