import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import { ProviderConnection, type ProviderAccess } from '../../connection.ts';
import { kindOfStatus } from '../../llm/http-failure.ts';
import { createMessageParser } from '../../parse-message.ts';
import { charactersOf } from '../characters.ts';
import type { OpenTextToSpeech, SpokenWords, TextToSpeech, TextToSpeechEvent } from '../text-to-speech.ts';

export interface CartesiaSettings {
  /** Such as `sonic-3.5`. */
  readonly model: string;
  readonly voice: string;
  /** ISO 639-1. */
  readonly language: string;
  /** 0.6 to 1.5. */
  readonly speed?: number;
}

const VERSION = '2026-03-01';

const wordTimes = z.object({ words: z.array(z.string()), start: z.array(z.number()), end: z.array(z.number()) });

/** Source: https://docs.cartesia.ai/api-reference/tts/websocket */
const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), context_id: z.string(), data: z.string() }),
  z.object({ type: z.literal('timestamps'), context_id: z.string(), word_timestamps: wordTimes.nullish() }),
  z.object({ type: z.literal('done'), context_id: z.string() }),
  z.object({
    type: z.literal('error'),
    context_id: z.string().nullish(),
    status_code: z.int(),
    title: z.string().default(''),
    message: z.string().default(''),
  }),
]);
const parse = createMessageParser(schema, ['chunk', 'timestamps', 'done', 'error']);

/** Cartesia over one socket with a context for each utterance, with times of words. */
export function cartesia(access: ProviderAccess, settings: CartesiaSettings): OpenTextToSpeech {
  return (listener) => new Cartesia(access, settings, listener);
}

class Cartesia implements TextToSpeech {
  readonly tellsTimes = true;
  readonly #settings: CartesiaSettings;
  readonly #listener: (event: TextToSpeechEvent) => void;
  readonly #connection: ProviderConnection;
  /** The contexts that are not over. */
  readonly #open = new Set<string>();
  #waiting: { readonly utterance: string; readonly send: () => void }[] = [];
  #opened = false;

  constructor(access: ProviderAccess, settings: CartesiaSettings, listener: (event: TextToSpeechEvent) => void) {
    this.#settings = settings;
    this.#listener = listener;
    this.#connection = new ProviderConnection({
      access,
      component: 'tts',
      path: '/tts/websocket',
      headers: { 'x-api-key': access.credential, 'cartesia-version': VERSION },
      opened: () => {
        this.#opened = true;
        this.#connection.ready();
        listener({ kind: 'ready' });
        for (const { send } of this.#waiting.splice(0)) send();
      },
      received: (message) => this.#receive(message),
      ignored: (message) => listener({ kind: 'ignored', message }),
      failed: (failure) => listener({ kind: 'failed', failure }),
    });
  }

  speak(utterance: string, text: string): void {
    this.#whenOpen(utterance, () => {
      this.#open.add(utterance);
      this.#generate(utterance, text, true);
      const { model } = this.#settings;
      this.#listener({ kind: 'usage', entries: charactersOf({ provider: 'cartesia', model }, text.length) });
    });
  }

  finish(utterance: string): void {
    this.#whenOpen(utterance, () => {
      if (this.#open.has(utterance)) this.#generate(utterance, '', false);
    });
  }

  cancel(utterance: string): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.utterance !== utterance);
    if (this.#open.delete(utterance)) this.#connection.send({ context_id: utterance, cancel: true });
  }

  close(): void {
    this.#connection.close();
  }

  #whenOpen(utterance: string, send: () => void): void {
    if (this.#opened) send();
    else this.#waiting.push({ utterance, send });
  }

  /** All fields but these two must stay the same within a context. */
  #generate(utterance: string, transcript: string, more: boolean): void {
    const { model, voice, language, speed } = this.#settings;
    this.#connection.send({
      context_id: utterance,
      model_id: model,
      transcript,
      continue: more,
      voice: { mode: 'id', id: voice },
      language,
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
      add_timestamps: true,
      // Whole sentences are sent, so nothing is gained by waiting for more text.
      max_buffer_delay_ms: 0,
      ...(speed === undefined ? {} : { generation_config: { speed } }),
    });
  }

  #receive(value: unknown): void {
    const parsed = parse(value);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#connection.invalid(parsed.reason);
    const { message } = parsed;
    if (message.type === 'error') {
      // Of a context that was canceled while its text was on the way.
      if (message.context_id && !this.#open.has(message.context_id)) return;
      return this.#connection.fail(kindOfStatus(message.status_code), `${message.title}: ${message.message}`);
    }
    const utterance = message.context_id;
    if (!this.#open.has(utterance)) return;
    switch (message.type) {
      case 'chunk':
        return this.#listener({ kind: 'sound', utterance, ulaw: Buffer.from(message.data, 'base64') });
      case 'timestamps':
        if (!message.word_timestamps) return;
        return this.#listener({ kind: 'words', utterance, words: wordsOf(message.word_timestamps) });
      case 'done':
        this.#open.delete(utterance);
        return this.#listener({ kind: 'over', utterance });
      default:
        return unreachable(message);
    }
  }
}

/** Seconds of the context's sound. */
function wordsOf({ words, start, end }: z.output<typeof wordTimes>): readonly SpokenWords[] {
  return words.map((word, index) => ({
    text: `${word} `,
    startMs: (start[index] ?? 0) * 1_000,
    endMs: (end[index] ?? 0) * 1_000,
  }));
}
