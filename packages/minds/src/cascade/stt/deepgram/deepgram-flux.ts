import { unreachable } from '@outdial/kernel';
import { CallTimes } from '../../../sound/call-times.ts';
import { HeldBackSound } from '../../../sound/held-back-sound.ts';
import { ProviderConnection, type ProviderAccess } from '../../connection.ts';
import { HeardSeconds } from '../heard-seconds.ts';
import type { OpenSpeechToText, SpeechToText, SpeechToTextEvent } from '../speech-to-text.ts';
import { parseFluxMessage, type TurnInfo } from './flux-wire.ts';

export interface DeepgramFluxSettings {
  /** Such as `flux-general-en`. */
  readonly model: string;
  readonly keywords: readonly string[];
  /** 0.3 to 0.9: how sure of a turn's end the provider must be to say that it is likely. Null: it never says so. */
  readonly eagerEotThreshold: number | null;
  /** 0.5 to 0.9. */
  readonly eotThreshold?: number;
  /** Silence that ends a turn however sure the provider is. */
  readonly eotTimeoutMs?: number;
  readonly languages?: readonly string[];
}

/** Deepgram's Flux (`/v2/listen`): turns with their ends, as the model hears them. */
export function deepgramFlux(access: ProviderAccess, settings: DeepgramFluxSettings): OpenSpeechToText {
  return (listener) => new DeepgramFlux(access, settings, listener);
}

function pathOf(settings: DeepgramFluxSettings): string {
  const query = new URLSearchParams({ model: settings.model, encoding: 'mulaw', sample_rate: '8000' });
  const { eagerEotThreshold, eotThreshold, eotTimeoutMs } = settings;
  if (eagerEotThreshold !== null) query.set('eager_eot_threshold', String(eagerEotThreshold));
  if (eotThreshold !== undefined) query.set('eot_threshold', String(eotThreshold));
  if (eotTimeoutMs !== undefined) query.set('eot_timeout_ms', String(eotTimeoutMs));
  for (const keyword of settings.keywords) query.append('keyterm', keyword);
  for (const language of settings.languages ?? []) query.append('language_hint', language);
  return `/v2/listen?${query.toString()}`;
}

class DeepgramFlux implements SpeechToText {
  readonly #listener: (event: SpeechToTextEvent) => void;
  readonly #connection: ProviderConnection;
  readonly #times = new CallTimes();
  readonly #heldBack = new HeldBackSound();
  readonly #seconds: HeardSeconds;
  #connected = false;

  constructor(access: ProviderAccess, settings: DeepgramFluxSettings, listener: (event: SpeechToTextEvent) => void) {
    this.#listener = listener;
    this.#seconds = new HeardSeconds({ provider: 'deepgram', model: settings.model }, (entries) =>
      listener({ kind: 'usage', entries }),
    );
    this.#connection = new ProviderConnection({
      access,
      component: 'stt',
      path: pathOf(settings),
      headers: { authorization: `Token ${access.credential}` },
      opened: () => undefined,
      received: (message) => this.#receive(message),
      ignored: (message) => listener({ kind: 'ignored', message }),
      failed: (failure) => {
        this.#seconds.report();
        listener({ kind: 'failed', failure });
      },
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#connection.closed) return;
    if (this.#connected) this.#send(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  endTurn(): void {
    this.#connection.send({ type: 'ForceEndTurn' });
  }

  close(): void {
    if (this.#connection.closed) return;
    this.#seconds.report();
    this.#connection.send({ type: 'CloseStream' });
    this.#connection.close();
  }

  #send(ulaw: Uint8Array, fromMs: number): void {
    this.#times.sent(ulaw.length, fromMs);
    this.#connection.sendBinary(ulaw);
    this.#seconds.sent(ulaw.length);
  }

  #receive(value: unknown): void {
    const parsed = parseFluxMessage(value);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#connection.invalid(parsed.reason);
    const { message } = parsed;
    switch (message.type) {
      case 'Connected':
        this.#connected = true;
        this.#connection.ready();
        for (const { ulaw, fromMs } of this.#heldBack.take()) this.#send(ulaw, fromMs);
        return this.#listener({ kind: 'ready' });
      case 'TurnInfo':
        return this.#turn(message);
      case 'Error':
        return this.#connection.broken(message.code, `${message.code}: ${message.description}`);
      default:
        return unreachable(message);
    }
  }

  #turn(info: TurnInfo): void {
    const text = info.transcript.trim();
    switch (info.event) {
      case 'StartOfTurn':
        return this.#listener({ kind: 'speaking', atMs: this.#times.callTimeOf(startOf(info) * 1_000) });
      case 'Update':
        if (text !== '') this.#listener({ kind: 'hearing' });
        return;
      case 'EagerEndOfTurn':
        return this.#listener({ kind: 'likely_over', text });
      case 'TurnResumed':
        return this.#listener({ kind: 'resumed' });
      case 'EndOfTurn': {
        const startMs = this.#times.callTimeOf(startOf(info) * 1_000);
        const end = info.words.at(-1)?.end ?? info.audio_window_end;
        const endMs = Math.max(startMs, this.#times.callTimeOf(end * 1_000));
        return this.#listener({ kind: 'turn', text: text === '' ? null : text, startMs, endMs });
      }
      case '':
        return;
      default:
        unreachable(info.event);
    }
  }
}

/** Seconds of the sound that was sent. The window begins before the words do. */
const startOf = (info: TurnInfo): number => info.words[0]?.start ?? info.audio_window_start;
