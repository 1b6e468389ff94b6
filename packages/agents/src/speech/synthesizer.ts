import type { Worker } from 'node:worker_threads';
import type { SpeechSynthesizer } from '@outdial/calls';
import { isSpeakable, speakableText, type Voice } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createEngineQueue } from './engine-queue.ts';
import { createSpeechCache } from './speech-cache.ts';
import { SpeechError } from './speech-error.ts';
import { startFliteThread } from './start-flite-thread.ts';

export interface SpeechSynthesizerOptions {
  readonly clock: Clock;
  /** Cache size; a second of speech is 16,000 bytes. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** Maximum length of a text in characters, with its variables filled in. Default: 4,000, about four minutes. */
  readonly maxTextLength?: number;
  /** Maximum synthesis time of a text. Default: 20,000. */
  readonly timeoutMs?: number;
  /** Starts the engine's thread; tests pass one that fails. */
  readonly startThread?: () => Worker;
}

export interface FliteSynthesizer extends SpeechSynthesizer {
  /** Rejects pending texts and stops the engine's thread. Idempotent. */
  close(): Promise<void>;
}

/**
 * English text to speech with flite, in its own thread: 8 kHz mono, without leading silence, at one level.
 *
 * A text is synthesized once per voice while the cache has it, even for concurrent requests. Callers share the samples:
 * read them, do not write to them. Rejects with a SpeechError.
 */
export function createSpeechSynthesizer(options: SpeechSynthesizerOptions): FliteSynthesizer {
  const maxTextLength = options.maxTextLength ?? 4_000;
  const cache = createSpeechCache(options.cacheBytes ?? 64 * 1_024 * 1_024);
  const inFlight = new Map<string, Promise<Int16Array>>();
  const engine = createEngineQueue({
    startThread: options.startThread ?? startFliteThread,
    clock: options.clock,
    timeoutMs: options.timeoutMs ?? 20_000,
  });

  async function speak(key: string, text: string, voice: Voice): Promise<Int16Array> {
    try {
      const samples = await engine.speak({ text, voice });
      if (samples.length === 0) throw unspeakable();
      cache.put(key, samples);
      return samples;
    } finally {
      inFlight.delete(key);
    }
  }

  return {
    async synthesize(input) {
      const text = speakableText(input.text);
      if (text.length > maxTextLength) {
        throw new SpeechError(
          'text_too_long',
          `a text of ${text.length} characters exceeds the maximum of ${maxTextLength}`,
        );
      }
      // The engine would spend time on a text without letters or digits, and return silence.
      if (!isSpeakable(text)) throw unspeakable();
      const key = `${input.voice}\0${text}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const speech = inFlight.get(key) ?? speak(key, text, input.voice);
      inFlight.set(key, speech);
      return speech;
    },
    close: () => engine.close(),
  };
}

const unspeakable = () =>
  new SpeechError('text_unspeakable', 'nothing in the text can be spoken: write it in Latin letters and digits');
