import { unreachable, type Timer } from '@outdial/kernel';
import { CallTimes } from '../../../sound/call-times.ts';
import { HeldBackSound } from '../../../sound/held-back-sound.ts';
import { ProviderConnection, type ProviderAccess } from '../../connection.ts';
import { HeardSeconds } from '../heard-seconds.ts';
import type { OpenSpeechToText, SpeechToText, SpeechToTextEvent } from '../speech-to-text.ts';
import { parseNovaMessage, type NovaResults } from './nova-wire.ts';

export interface DeepgramNovaSettings {
  /** Such as `nova-3`. */
  readonly model: string;
  /** BCP 47, or `multi`. */
  readonly language: string;
  readonly keywords: readonly string[];
  /** Silence that ends a turn. */
  readonly endpointingMs: number;
}

/** The provider closes a stream that gets neither sound nor this for ten seconds. */
const KEEP_ALIVE_MS = 4_000;
/** The end of a turn that was noisy after its words, which `endpointing` does not find. The provider's least is 1,000. */
const UTTERANCE_END_MS = 1_000;

/** Deepgram's Nova (`/v1/listen`): words as they come; silence ends a turn. */
export function deepgramNova(access: ProviderAccess, settings: DeepgramNovaSettings): OpenSpeechToText {
  return (listener) => new DeepgramNova(access, settings, listener);
}

function pathOf(settings: DeepgramNovaSettings): string {
  const query = new URLSearchParams({
    model: settings.model,
    language: settings.language,
    encoding: 'mulaw',
    sample_rate: '8000',
    channels: '1',
    interim_results: 'true',
    smart_format: 'true',
    vad_events: 'true',
    endpointing: String(settings.endpointingMs),
    utterance_end_ms: String(UTTERANCE_END_MS),
  });
  for (const keyword of settings.keywords) query.append('keyterm', keyword);
  return `/v1/listen?${query.toString()}`;
}

class DeepgramNova implements SpeechToText {
  readonly #access: ProviderAccess;
  readonly #listener: (event: SpeechToTextEvent) => void;
  readonly #connection: ProviderConnection;
  readonly #times = new CallTimes();
  readonly #heldBack = new HeldBackSound();
  readonly #seconds: HeardSeconds;
  #opened = false;
  #keepAlive: Timer | null = null;
  /** The final parts of the turn so far, in seconds of the sound that was sent. */
  #turn: { readonly texts: string[]; readonly start: number; end: number } | null = null;
  #speaking = false;

  constructor(access: ProviderAccess, settings: DeepgramNovaSettings, listener: (event: SpeechToTextEvent) => void) {
    this.#access = access;
    this.#listener = listener;
    this.#seconds = new HeardSeconds({ provider: 'deepgram', model: settings.model }, (entries) =>
      listener({ kind: 'usage', entries }),
    );
    this.#connection = new ProviderConnection({
      access,
      component: 'stt',
      path: pathOf(settings),
      headers: { authorization: `Token ${access.credential}` },
      opened: () => this.#open(),
      received: (message) => this.#receive(message),
      ignored: (message) => listener({ kind: 'ignored', message }),
      failed: (failure) => {
        this.#stop();
        listener({ kind: 'failed', failure });
      },
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#connection.closed) return;
    if (this.#opened) this.#send(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  endTurn(): void {
    this.#connection.send({ type: 'Finalize' });
  }

  close(): void {
    if (this.#connection.closed) return;
    this.#stop();
    this.#connection.send({ type: 'CloseStream' });
    this.#connection.close();
  }

  #stop(): void {
    this.#keepAlive?.cancel();
    this.#seconds.report();
  }

  #open(): void {
    this.#opened = true;
    this.#connection.ready();
    this.#keepOpen();
    for (const { ulaw, fromMs } of this.#heldBack.take()) this.#send(ulaw, fromMs);
    this.#listener({ kind: 'ready' });
  }

  #keepOpen(): void {
    this.#keepAlive?.cancel();
    this.#keepAlive = this.#access.clock.after(KEEP_ALIVE_MS, () => {
      this.#connection.send({ type: 'KeepAlive' });
      this.#keepOpen();
    });
  }

  #send(ulaw: Uint8Array, fromMs: number): void {
    this.#times.sent(ulaw.length, fromMs);
    this.#connection.sendBinary(ulaw);
    this.#seconds.sent(ulaw.length);
  }

  #receive(value: unknown): void {
    const parsed = parseNovaMessage(value);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#connection.invalid(parsed.reason);
    const { message } = parsed;
    switch (message.type) {
      case 'Results':
        return this.#results(message);
      case 'SpeechStarted':
        return this.#speak(message.timestamp);
      case 'UtteranceEnd':
        return this.#endTurn();
      case 'Error':
        return this.#connection.broken(message.description, message.description);
      default:
        return unreachable(message);
    }
  }

  #speak(seconds: number): void {
    if (this.#speaking) return;
    this.#speaking = true;
    this.#listener({ kind: 'speaking', atMs: this.#times.callTimeOf(seconds * 1_000) });
  }

  #results(results: NovaResults): void {
    const [best] = results.channel.alternatives;
    const text = best?.transcript.trim() ?? '';
    if (best !== undefined && text !== '') {
      const start = best.words[0]?.start ?? results.start;
      const end = best.words.at(-1)?.end ?? results.start + results.duration;
      this.#speak(start);
      if (results.is_final) {
        this.#turn ??= { texts: [], start, end };
        this.#turn.texts.push(text);
        this.#turn.end = end;
      } else {
        this.#listener({ kind: 'hearing' });
      }
    }
    if (results.speech_final || results.from_finalize) this.#endTurn();
  }

  #endTurn(): void {
    const turn = this.#turn;
    this.#turn = null;
    this.#speaking = false;
    if (turn === null) return;
    const startMs = this.#times.callTimeOf(turn.start * 1_000);
    const endMs = Math.max(startMs, this.#times.callTimeOf(turn.end * 1_000));
    this.#listener({ kind: 'turn', text: turn.texts.join(' '), startMs, endMs });
  }
}
