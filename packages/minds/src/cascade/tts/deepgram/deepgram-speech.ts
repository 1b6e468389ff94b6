import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import { BYTES_PER_MS } from '../../../sound/ulaw.ts';
import { ProviderConnection, type ProviderAccess } from '../../connection.ts';
import { createMessageParser } from '../../parse-message.ts';
import { charactersOf } from '../characters.ts';
import type { OpenTextToSpeech, TextToSpeech, TextToSpeechEvent } from '../text-to-speech.ts';

export interface DeepgramSpeechSettings {
  /** The family, such as `flux`, or with its voice `flux-haley-en`. As it stands in the usage. */
  readonly model: string;
  /** In the family, such as `haley-en`. */
  readonly voice?: string;
  readonly speed?: number;
}

const billed = z.object({ speech_id: z.string(), billable_character_count: z.int().min(0) });

/** Source: https://developers.deepgram.com/docs/flux-tts/server-messages */
const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Connected') }),
  z.object({ type: z.literal('SpeechStarted'), speech_id: z.string() }),
  z.object({ type: z.literal('SpeechMetadata'), ...billed.shape }),
  z.object({ type: z.literal('SpeechInterrupted'), text_spoken: z.string().nullish(), metadata: billed }),
  z.object({ type: z.literal('Warning'), code: z.string(), description: z.string() }),
  z.object({ type: z.literal('Error'), code: z.string(), description: z.string() }),
]);
const parse = createMessageParser(schema, [
  'Connected',
  'SpeechStarted',
  'SpeechMetadata',
  'SpeechInterrupted',
  'Warning',
  'Error',
]);

/** A turn of the provider: it speaks one at a time, in the order of their text. */
interface Turn {
  readonly utterance: string;
  /** The provider's name for it, once it has begun. */
  speechId: string | null;
  sentCharacters: number;
  receivedBytes: number;
  finished: boolean;
  cancelled: boolean;
}

/** Deepgram's Flux speech (`/v2/speak`): turns of text, and what was heard of those that were interrupted. */
export function deepgramSpeech(access: ProviderAccess, settings: DeepgramSpeechSettings): OpenTextToSpeech {
  return (listener) => new DeepgramSpeech(access, settings, listener);
}

class DeepgramSpeech implements TextToSpeech {
  readonly tellsTimes = false;
  readonly #settings: DeepgramSpeechSettings;
  readonly #listener: (event: TextToSpeechEvent) => void;
  readonly #connection: ProviderConnection;
  readonly #turns: Turn[] = [];
  #waiting: { readonly utterance: string; readonly send: () => void }[] = [];
  #connected = false;
  /** The sound of the turns that are over, as far as it was played: the provider counts from the start of the socket. */
  #playedMs = 0;

  constructor(access: ProviderAccess, settings: DeepgramSpeechSettings, listener: (event: TextToSpeechEvent) => void) {
    this.#settings = settings;
    this.#listener = listener;
    const model = settings.voice === undefined ? settings.model : `${settings.model}-${settings.voice}`;
    const query = new URLSearchParams({ model, encoding: 'mulaw', sample_rate: '8000' });
    if (settings.speed !== undefined) query.set('speed', String(settings.speed));
    this.#connection = new ProviderConnection({
      access,
      component: 'tts',
      path: `/v2/speak?${query.toString()}`,
      headers: { authorization: `Token ${access.credential}` },
      opened: () => undefined,
      received: (message) => this.#receive(message),
      receivedBinary: (data) => this.#sound(data),
      ignored: (message) => listener({ kind: 'ignored', message }),
      failed: (failure) => {
        this.#reportLost();
        listener({ kind: 'failed', failure });
      },
    });
  }

  speak(utterance: string, text: string): void {
    this.#whenConnected(utterance, () => {
      const turn = this.#turns.find((candidate) => candidate.utterance === utterance) ?? {
        utterance,
        speechId: null,
        sentCharacters: 0,
        receivedBytes: 0,
        finished: false,
        cancelled: false,
      };
      if (turn.sentCharacters === 0) this.#turns.push(turn);
      turn.sentCharacters += text.length;
      this.#connection.send({ type: 'Speak', text });
    });
  }

  finish(utterance: string): void {
    this.#whenConnected(utterance, () => {
      const turn = this.#turns.find((candidate) => candidate.utterance === utterance);
      if (turn === undefined || turn.finished) return;
      turn.finished = true;
      this.#connection.send({ type: 'Flush' });
    });
  }

  cancel(utterance: string, playedMs: number): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.utterance !== utterance);
    const turn = this.#turns.find((candidate) => candidate.utterance === utterance);
    if (turn === undefined || turn.cancelled) return;
    turn.cancelled = true;
    const heardMs = Math.min(Math.round(playedMs), Math.floor(turn.receivedBytes / BYTES_PER_MS));
    // An offset must lie after the one before.
    const offset =
      heardMs > 0 ? { playback_offset: { type: 'time_ms', value: Math.round(this.#playedMs) + heardMs } } : {};
    this.#playedMs += heardMs;
    this.#connection.send({ type: 'Interrupt', ...offset });
  }

  close(): void {
    if (this.#connection.closed) return;
    this.#reportLost();
    this.#connection.send({ type: 'Close' });
    this.#connection.close();
  }

  #whenConnected(utterance: string, send: () => void): void {
    if (this.#connected) send();
    else this.#waiting.push({ utterance, send });
  }

  #sound(ulaw: Uint8Array): void {
    const [turn] = this.#turns;
    if (turn === undefined) return;
    turn.receivedBytes += ulaw.length;
    if (!turn.cancelled) this.#listener({ kind: 'sound', utterance: turn.utterance, ulaw });
  }

  #receive(value: unknown): void {
    const parsed = parse(value);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#connection.invalid(parsed.reason);
    const { message } = parsed;
    switch (message.type) {
      case 'Connected':
        this.#connected = true;
        this.#connection.ready();
        this.#listener({ kind: 'ready' });
        for (const { send } of this.#waiting.splice(0)) send();
        return;
      case 'SpeechStarted': {
        const turn = this.#turns.find(({ speechId }) => speechId === null);
        if (turn !== undefined) turn.speechId = message.speech_id;
        return;
      }
      case 'SpeechMetadata': {
        const turn = this.#take(message.speech_id);
        if (turn === undefined) return;
        this.#report(message.billable_character_count);
        if (turn.cancelled) return;
        this.#playedMs += turn.receivedBytes / BYTES_PER_MS;
        return this.#listener({ kind: 'over', utterance: turn.utterance });
      }
      case 'SpeechInterrupted': {
        const turn = this.#take(message.metadata.speech_id);
        if (turn === undefined) return;
        this.#report(message.metadata.billable_character_count);
        if (typeof message.text_spoken !== 'string') return;
        return this.#listener({ kind: 'heard', utterance: turn.utterance, text: message.text_spoken });
      }
      case 'Warning':
        return this.#listener({ kind: 'ignored', message: `${message.code}: ${message.description}` });
      case 'Error':
        return this.#connection.broken(message.code, `${message.code}: ${message.description}`);
      default:
        return unreachable(message);
    }
  }

  /** One that was interrupted before its sound began has no name yet. */
  #take(speechId: string): Turn | undefined {
    const named = this.#turns.findIndex((turn) => turn.speechId === speechId);
    const index = named >= 0 ? named : this.#turns.findIndex((turn) => turn.speechId === null && turn.cancelled);
    return index < 0 ? undefined : this.#turns.splice(index, 1)[0];
  }

  #report(characters: number): void {
    const entries = charactersOf({ provider: 'deepgram', model: this.#settings.model }, characters);
    if (entries.length > 0) this.#listener({ kind: 'usage', entries });
  }

  /** The provider has not said yet what these cost: what it was sent. */
  #reportLost(): void {
    const characters = this.#turns.splice(0).reduce((sum, turn) => sum + turn.sentCharacters, 0);
    const entries = charactersOf({ provider: 'deepgram', model: this.#settings.model }, characters);
    if (entries.length > 0) {
      this.#listener({ kind: 'usage', entries: entries.map((entry) => ({ ...entry, estimated: true })) });
    }
  }
}
