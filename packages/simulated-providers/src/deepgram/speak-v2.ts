import type { Deepgram } from '@deepgram/sdk';
import type { Clock } from '@outdial/kernel';
import { z } from 'zod';
import { Alarms } from '../http/alarms.ts';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { FaultySocket } from '../http/faulty-socket.ts';
import type { ProviderLedger } from '../ledger.ts';
import { UtteranceStream, type SpeechTimings } from '../speech/utterance-stream.ts';
import type { SpeakText } from '../voice.ts';
import { streamOf } from './access.ts';

export interface SpeechInput {
  readonly clock: Clock;
  readonly speak: SpeakText;
  readonly timings: SpeechTimings;
  readonly ledger: ProviderLedger;
}

const PARAMETERS = ['model', 'encoding', 'sample_rate', 'speed', 'mip_opt_out', 'tag'];
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Speak'), text: z.string() }),
  z.strictObject({ type: z.literal('Flush') }),
  z.strictObject({
    type: z.literal('Interrupt'),
    playback_offset: z.strictObject({ type: z.literal('time_ms'), value: z.int().min(0) }).optional(),
  }),
  z.strictObject({ type: z.literal('Close') }),
]);
const NO_CONTROLS = { pronunciations_applied: 0, breaks_applied: 0, pronunciation_warnings: 0 };

/** Deepgram's Flux speech: `/v2/speak`. */
export function speakV2(input: SpeechInput): SocketEndpoint {
  return {
    path: /^\/v2\/speak$/,
    open(address) {
      const stream = streamOf(address, { models: /^flux-[a-z]+-[a-z]+$/, parameters: PARAMETERS });
      if ('refusal' in stream) return stream;
      return {
        serve(client) {
          const socket = new FaultySocket(client, stream.fault);
          const session = new SpeakSession(input, socket, stream.model);
          client.on('message', (data) => {
            if (!Buffer.isBuffer(data)) return;
            const message = clientMessage.safeParse(JSON.parse(data.toString('utf8')));
            if (!message.success) return client.close(1_008, 'DATA-0000');
            session.receive(message.data);
          });
          client.on('close', () => session.close());
        },
      };
    },
  };
}

interface Turn {
  readonly id: string;
  text: string;
  flushed: boolean;
  readonly stream: UtteranceStream;
}

class SpeakSession {
  readonly #input: SpeechInput;
  readonly #socket: FaultySocket;
  readonly #alarms: Alarms;
  #active: Turn | null = null;
  /** Texts of turns that wait for the active one; null ends a turn. */
  #pending: (string | null)[] = [];
  #turns = 0;
  /** Sound of the turns that are over, as the client played it. */
  #playedMs = 0;

  constructor(input: SpeechInput, socket: FaultySocket, model: string) {
    this.#input = input;
    this.#socket = socket;
    this.#alarms = new Alarms(input.clock);
    socket.send({
      type: 'Connected',
      request_id: 'request',
      model_name: model,
      model_version: '1',
      model_uuids: ['model'],
    } satisfies Deepgram.speak.SpeakV2Connected);
  }

  receive(message: z.output<typeof clientMessage>): void {
    switch (message.type) {
      case 'Speak':
        return this.#active?.flushed === true ? void this.#pending.push(message.text) : this.#speak(message.text);
      case 'Flush':
        return this.#active?.flushed === true ? void this.#pending.push(null) : this.#flush();
      case 'Interrupt':
        return this.#interrupt(message.playback_offset?.value ?? null);
      case 'Close':
        return this.#socket.close(1_000, '');
      default:
        message satisfies never;
    }
  }

  close(): void {
    this.#active?.stream.stop();
    this.#alarms.stop();
    // A turn that is under way is billed as far as its text came.
    if (this.#active !== null) this.#bill(this.#active);
    this.#active = null;
  }

  #speak(text: string): void {
    const turn = this.#active ?? this.#begin();
    turn.text += text;
    turn.stream.add(text);
  }

  #begin(): Turn {
    this.#turns += 1;
    const id = `dg_sp_${String(this.#turns).padStart(12, '0')}`;
    const { speak, timings } = this.#input;
    let started = false;
    const stream = new UtteranceStream({
      alarms: this.#alarms,
      speak,
      timings,
      chunk: ({ ulaw }) => {
        if (!started)
          this.#socket.send({ type: 'SpeechStarted', speech_id: id } satisfies Deepgram.speak.SpeakV2SpeechStarted);
        started = true;
        this.#socket.delta(ulaw);
      },
      over: () => this.#over(),
    });
    this.#active = { id, text: '', flushed: false, stream };
    return this.#active;
  }

  #flush(): void {
    if (this.#active === null) return this.#warn('FLUSH_WITHOUT_TEXT');
    this.#active.flushed = true;
    this.#active.stream.finish();
  }

  #over(): void {
    const turn = this.#active;
    if (turn === null) return;
    this.#playedMs += turn.stream.madeMs;
    this.#bill(turn);
    this.#active = null;
    this.#socket.delta({
      type: 'SpeechMetadata',
      ...this.#metadataOf(turn),
    } satisfies Deepgram.speak.SpeakV2SpeechMetadata);
    for (const text of this.#pending.splice(0))
      this.receive(text === null ? { type: 'Flush' } : { type: 'Speak', text });
  }

  #interrupt(offsetMs: number | null): void {
    const turn = this.#active;
    if (turn === null) return this.#warn('NO_ACTIVE_SPEECH');
    turn.stream.stop();
    this.#bill(turn);
    this.#active = null;
    const heardMs = offsetMs === null ? null : Math.max(0, offsetMs - this.#playedMs);
    const words = turn.text.match(/\S+\s*/g) ?? [];
    // By share of the sound, as nothing else is known of this voice.
    const total = Math.max(turn.stream.madeMs, 1);
    const count = heardMs === null ? 0 : Math.floor(words.length * Math.min(1, heardMs / total));
    this.#playedMs = offsetMs ?? this.#playedMs + turn.stream.madeMs;
    this.#socket.send({
      type: 'SpeechInterrupted',
      audio_played_ms: this.#playedMs,
      ...(heardMs === null
        ? {}
        : { text_spoken: words.slice(0, count).join(''), text_remaining: words.slice(count).join('') }),
      metadata: this.#metadataOf(turn),
    } satisfies Deepgram.speak.SpeakV2SpeechInterrupted);
    for (const text of this.#pending.splice(0))
      this.receive(text === null ? { type: 'Flush' } : { type: 'Speak', text });
  }

  #metadataOf(turn: Turn) {
    return {
      speech_id: turn.id,
      audio_duration_ms: turn.stream.madeMs,
      input_character_count: turn.text.length,
      billable_character_count: turn.text.length,
      controls_applied: NO_CONTROLS,
    };
  }

  #bill({ text }: Turn): void {
    this.#input.ledger.add({ component: 'tts', provider: 'deepgram', unit: 'character', quantity: text.length });
  }

  #warn(code: string): void {
    this.#socket.send({
      type: 'Warning',
      code,
      description: 'There is nothing to do.',
    } satisfies Deepgram.speak.SpeakV2Warning);
  }
}
