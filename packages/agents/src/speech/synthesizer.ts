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
  /** What the cache may hold; a second of speech is 16,000 bytes. 64 MiB unless given. */
  readonly cacheBytes?: number;
  /** The longest text in characters, with its variables filled in. 4,000, about four minutes, unless given. */
  readonly maxTextLength?: number;
  /** How long one text may take the engine. 20,000 unless given. */
  readonly timeoutMs?: number;
  /** Starts the engine's thread; tests pass one that fails. */
  readonly startThread?: () => Worker;
}

export interface FliteSynthesizer extends SpeechSynthesizer {
  /** Refuses what is under way and stops the engine's thread. Idempotent. */
  close(): Promise<void>;
}

/**
 * English text to speech with flite, in a thread of its own: 8 kHz mono, without leading silence, at one level.
 *
 * A text is spoken once for each voice while the cache holds it, also when it is asked for twice at the same time.
 * The samples are shared between all who ask: read them, do not write to them. Rejects with a SpeechError.
 */
export function createSpeechSynthesizer(options: SpeechSynthesizerOptions): FliteSynthesizer {
  const maxTextLength = options.maxTextLength ?? 4_000;
  const cache = createSpeechCache(options.cacheBytes ?? 64 * 1_024 * 1_024);
  const underWay = new Map<string, Promise<Int16Array>>();
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
      underWay.delete(key);
    }
  }

  return {
    async synthesize(input) {
      const text = speakableText(input.text);
      if (text.length > maxTextLength) {
        throw new SpeechError(
          'text_too_long',
          `a text of ${text.length} characters is longer than the ${maxTextLength} that are spoken at once`,
        );
      }
      // Without a letter or a digit the engine says nothing, and takes its time for it.
      if (!isSpeakable(text)) throw unspeakable();
      const key = `${input.voice}\0${text}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const speech = underWay.get(key) ?? speak(key, text, input.voice);
      underWay.set(key, speech);
      return speech;
    },
    close: () => engine.close(),
  };
}

const unspeakable = () =>
  new SpeechError('text_unspeakable', 'nothing in the text can be spoken: write it in Latin letters and digits');
