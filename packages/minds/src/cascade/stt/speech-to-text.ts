import type { CalleeSpeech, ProviderFailure, UsageEntry } from '../../mind.ts';

/** A turn is what the callee says until the provider hears its end. Times are milliseconds of the call. */
export type SpeechToTextEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'speaking'; readonly atMs: number }
  /** It still understands: words of a turn that goes on. */
  | { readonly kind: 'hearing' }
  /** The turn is probably over. `turn` with the same text follows, or `resumed`. */
  | { readonly kind: 'likely_over'; readonly text: string }
  | { readonly kind: 'resumed' }
  /** A null text was heard and not understood. */
  | {
      readonly kind: 'turn';
      readonly text: string | null;
      readonly startMs: number;
      readonly endMs: number;
    }
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'ignored'; readonly message: string }
  /** The last event. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface SpeechToText {
  /** µ-law at 8 kHz; what comes before the provider is ready is kept, at most ten seconds of it. */
  hear(ulaw: Uint8Array, fromMs: number): void;
  /** What the ear of the call hears, for a provider that finds no turns. It comes after the sound that it is about. */
  speech?(speech: CalleeSpeech): void;
  /** A turn is under way that was not announced, or that has no words yet. */
  readonly hasTurn?: boolean;
  /** A turn that failed is the callee's wait: a fallback hears it before this provider is tried again. */
  readonly prefersFallback?: boolean;
  /** The turn that is under way ends here: `turn` follows. Without one, nothing does. */
  endTurn(): void;
  /** Emits the usage that is left. Idempotent. No event follows. */
  close(): void;
}

export type OpenSpeechToText = (listener: (event: SpeechToTextEvent) => void) => SpeechToText;
