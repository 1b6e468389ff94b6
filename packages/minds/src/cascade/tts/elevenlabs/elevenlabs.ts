import type { Timer } from '@outdial/kernel';
import { z } from 'zod';
import { BYTES_PER_MS } from '../../../sound/ulaw.ts';
import { ProviderConnection, type ProviderAccess } from '../../connection.ts';
import { issueOf } from '../../parse-message.ts';
import { charactersOf } from '../characters.ts';
import type { OpenTextToSpeech, TextToSpeech, TextToSpeechEvent } from '../text-to-speech.ts';
import { WordsOfCharacters } from './words-of-characters.ts';

export interface ElevenLabsSettings {
  /** Such as `eleven_flash_v2_5`. */
  readonly model: string;
  readonly voice: string;
  readonly language?: string;
  /** 0.7 to 1.2. */
  readonly speed?: number;
  /** 0 to 1. */
  readonly stability?: number;
  /** 0 to 1. */
  readonly similarityBoost?: number;
}

/** Of one socket, with those that are closed and not final yet; the provider ends a socket that has more. */
const MAX_CONTEXTS = 5;
/** The provider closes a context that gets no text for 20 s. */
const KEEP_ALIVE_MS = 15_000;

const times = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()),
});

/** Source: https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input */
const messageSchema = z.object({
  audio: z.string().nullish(),
  isFinal: z.boolean().nullish(),
  contextId: z.string().nullish(),
  alignment: times.nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
});

interface Context {
  receivedBytes: number;
  closed: boolean;
  cancelled: boolean;
  readonly words: WordsOfCharacters;
}

/** ElevenLabs over one socket with a context for each utterance (`multi-stream-input`), with times of characters. */
export function elevenLabs(access: ProviderAccess, settings: ElevenLabsSettings): OpenTextToSpeech {
  return (listener) => new ElevenLabs(access, settings, listener);
}

function pathOf({ model, voice, language }: ElevenLabsSettings): string {
  const query = new URLSearchParams({
    model_id: model,
    output_format: 'ulaw_8000',
    // Whole sentences are sent, so nothing is gained by waiting for more text.
    auto_mode: 'true',
    sync_alignment: 'true',
    inactivity_timeout: '180',
  });
  if (language !== undefined) query.set('language_code', language);
  return `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input?${query.toString()}`;
}

class ElevenLabs implements TextToSpeech {
  readonly tellsTimes = true;
  readonly #access: ProviderAccess;
  readonly #settings: ElevenLabsSettings;
  readonly #listener: (event: TextToSpeechEvent) => void;
  readonly #connection: ProviderConnection;
  readonly #contexts = new Map<string, Context>();
  /** Messages that wait for the socket or for a free context, in order. */
  #waiting: { readonly utterance: string; readonly send: () => void }[] = [];
  #opened = false;
  #keepAlive: Timer | null = null;

  constructor(access: ProviderAccess, settings: ElevenLabsSettings, listener: (event: TextToSpeechEvent) => void) {
    this.#access = access;
    this.#settings = settings;
    this.#listener = listener;
    this.#connection = new ProviderConnection({
      access,
      component: 'tts',
      path: pathOf(settings),
      headers: { 'xi-api-key': access.credential },
      opened: () => {
        this.#opened = true;
        this.#connection.ready();
        listener({ kind: 'ready' });
        this.#sendWaiting();
        this.#keepContexts();
      },
      received: (message) => this.#receive(message),
      ignored: (message) => listener({ kind: 'ignored', message }),
      failed: (failure) => {
        this.#keepAlive?.cancel();
        listener({ kind: 'failed', failure });
      },
    });
  }

  speak(utterance: string, text: string): void {
    this.#whenFree(utterance, () => {
      this.#begin(utterance);
      this.#connection.send({ text, context_id: utterance });
      const { model } = this.#settings;
      this.#listener({ kind: 'usage', entries: charactersOf({ provider: 'elevenlabs', model }, text.length) });
    });
  }

  finish(utterance: string): void {
    this.#whenFree(utterance, () => this.#close(utterance));
  }

  cancel(utterance: string): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.utterance !== utterance);
    const context = this.#contexts.get(utterance);
    if (context === undefined) return;
    context.cancelled = true;
    this.#close(utterance);
  }

  close(): void {
    this.#keepAlive?.cancel();
    this.#connection.send({ close_socket: true });
    this.#connection.close();
  }

  #whenFree(utterance: string, send: () => void): void {
    this.#waiting.push({ utterance, send });
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    if (!this.#opened) return;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!this.#contexts.has(next.utterance) && this.#contexts.size >= MAX_CONTEXTS) return;
      this.#waiting.shift();
      next.send();
    }
  }

  #begin(utterance: string): void {
    if (this.#contexts.has(utterance)) return;
    const words = new WordsOfCharacters();
    this.#contexts.set(utterance, { receivedBytes: 0, closed: false, cancelled: false, words });
    const { speed, stability, similarityBoost } = this.#settings;
    const voice = {
      ...(speed === undefined ? {} : { speed }),
      ...(stability === undefined ? {} : { stability }),
      ...(similarityBoost === undefined ? {} : { similarity_boost: similarityBoost }),
    };
    this.#connection.send({
      // The first message of a context has a space for its text.
      text: ' ',
      context_id: utterance,
      ...(Object.keys(voice).length === 0 ? {} : { voice_settings: voice }),
    });
  }

  #close(utterance: string): void {
    const context = this.#contexts.get(utterance);
    if (context === undefined || context.closed) return;
    context.closed = true;
    this.#connection.send({ context_id: utterance, close_context: true });
  }

  #keepContexts(): void {
    this.#keepAlive = this.#access.clock.after(KEEP_ALIVE_MS, () => {
      for (const [utterance, { closed }] of this.#contexts) {
        if (!closed) this.#connection.send({ text: '', context_id: utterance });
      }
      this.#keepContexts();
    });
  }

  #receive(value: unknown): void {
    const parsed = messageSchema.safeParse(value);
    if (!parsed.success) return this.#connection.invalid(issueOf(parsed.error));
    const { contextId, audio, alignment, isFinal, error, message } = parsed.data;
    if (error) return this.#connection.broken(error, `${error}: ${message ?? ''}`);
    const context = contextId ? this.#contexts.get(contextId) : undefined;
    if (!contextId || context === undefined) return;
    const chunkStartMs = context.receivedBytes / BYTES_PER_MS;
    if (alignment && !context.cancelled) this.#words(contextId, context.words.add(alignment, chunkStartMs));
    if (audio) {
      const ulaw = Buffer.from(audio, 'base64');
      context.receivedBytes += ulaw.length;
      if (!context.cancelled) this.#listener({ kind: 'sound', utterance: contextId, ulaw });
    }
    if (isFinal !== true) return;
    this.#contexts.delete(contextId);
    if (!context.cancelled) {
      this.#words(contextId, context.words.rest());
      this.#listener({ kind: 'over', utterance: contextId });
    }
    this.#sendWaiting();
  }

  #words(utterance: string, words: ReturnType<WordsOfCharacters['rest']>): void {
    if (words.length > 0) this.#listener({ kind: 'words', utterance, words });
  }
}
