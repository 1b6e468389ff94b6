import type { Deepgram } from '@deepgram/sdk';
import { z } from 'zod';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { FaultySocket } from '../http/faulty-socket.ts';
import type { ProviderLedger } from '../ledger.ts';
import { UNRECOGNISED, type Ears } from '../speech/ears.ts';
import { TurnFinder, type TurnEvent } from '../speech/turn-finder.ts';
import { decodeUlaw } from '../speech/ulaw.ts';
import { wordTimes } from '../speech/word-times.ts';
import { streamOf } from './access.ts';

export interface ListenTimings {
  /** Silence that ends a turn. */
  readonly endOfTurnMs: number;
  /** Silence after which the end is likely, where the client asks for it. */
  readonly eagerEndOfTurnMs: number;
}

export interface ListenInput {
  readonly ears: Ears;
  readonly timings: ListenTimings;
  readonly ledger: ProviderLedger;
}

const PARAMETERS = [
  'model',
  'encoding',
  'sample_rate',
  'eager_eot_threshold',
  'eot_threshold',
  'eot_timeout_ms',
  'keyterm',
  'language_hint',
  'tag',
  'mip_opt_out',
];
const UPDATE_MS = 250;
const BYTES_PER_SECOND = 8_000;
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ForceEndTurn') }),
  z.strictObject({ type: z.literal('CloseStream') }),
]);

/** Deepgram's Flux: `/v2/listen`. */
export function listenV2(input: ListenInput): SocketEndpoint {
  return {
    path: /^\/v2\/listen$/,
    open(address) {
      const stream = streamOf(address, { models: /^flux-/, parameters: PARAMETERS });
      if ('refusal' in stream) return stream;
      const query = address.url.searchParams;
      const eager = query.has('eager_eot_threshold');
      const timeoutMs = query.has('eot_timeout_ms') ? Number(query.get('eot_timeout_ms')) : null;
      return {
        serve(client) {
          const socket = new FaultySocket(client, stream.fault);
          const session = new FluxSession(input, socket, { eager, timeoutMs, empty: stream.fault?.kind === 'empty' });
          client.on('message', (data, isBinary) => {
            if (!Buffer.isBuffer(data)) return;
            if (isBinary) return session.hear(data);
            const type = clientMessageOf(data.toString('utf8'));
            if (type === null) return session.reject();
            if (type === 'ForceEndTurn') return session.endTurn();
            client.close(1_000);
          });
        },
      };
    },
  };
}

function clientMessageOf(text: string): z.output<typeof clientMessage>['type'] | null {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data?.type ?? null;
  } catch {
    return null;
  }
}

class FluxSession {
  readonly #input: ListenInput;
  readonly #socket: FaultySocket;
  readonly #empty: boolean;
  readonly #turns: TurnFinder;
  readonly #silenceMs: number;
  #sequence = 0;
  #turn = 0;
  #startMs = 0;
  #updatedMs = 0;
  #speaking = false;

  constructor(
    input: ListenInput,
    socket: FaultySocket,
    { eager, timeoutMs, empty }: { eager: boolean; timeoutMs: number | null; empty: boolean },
  ) {
    this.#input = input;
    this.#socket = socket;
    this.#empty = empty;
    const { endOfTurnMs, eagerEndOfTurnMs } = input.timings;
    // However unsure it is, this much silence ends a turn.
    this.#silenceMs = Math.min(endOfTurnMs, timeoutMs ?? endOfTurnMs);
    this.#turns = new TurnFinder({ silenceMs: this.#silenceMs, pauseMs: eager ? eagerEndOfTurnMs : null });
    socket.send({
      type: 'Connected',
      request_id: 'request',
      sequence_id: 0,
    } satisfies Deepgram.listen.ListenV2Connected);
  }

  hear(ulaw: Uint8Array): void {
    const quantity = ulaw.length / BYTES_PER_SECOND;
    this.#input.ledger.add({ component: 'stt', provider: 'deepgram', unit: 'second', quantity });
    for (const event of this.#turns.hear(decodeUlaw(ulaw))) this.#event(event);
    if (!this.#speaking || this.#turns.heardMs - this.#updatedMs < UPDATE_MS) return;
    this.#updatedMs = this.#turns.heardMs;
    this.#info('Update', '', this.#turns.heardMs);
  }

  /** Without a turn under way, nothing happens. */
  endTurn(): void {
    const event = this.#turns.end();
    if (event !== null) this.#event(event);
  }

  reject(): void {
    this.#sequence += 1;
    this.#socket.send({
      type: 'Error',
      sequence_id: this.#sequence,
      code: 'UNPARSABLE_CLIENT_MESSAGE',
      description: 'The message is not one of the protocol.',
    } satisfies Deepgram.listen.ListenV2FatalError);
    this.#socket.close(1_008, 'UNPARSABLE_CLIENT_MESSAGE');
  }

  #event(event: TurnEvent): void {
    switch (event.kind) {
      case 'started':
        this.#speaking = true;
        this.#startMs = event.startMs;
        this.#updatedMs = this.#turns.heardMs;
        return this.#info('StartOfTurn', '', this.#turns.heardMs);
      case 'paused': {
        const text = this.#text(event.samples);
        // It always has words.
        if (text !== '' && text !== UNRECOGNISED) this.#info('EagerEndOfTurn', text, event.endMs);
        return;
      }
      case 'resumed':
        return this.#info('TurnResumed', '', this.#turns.heardMs);
      case 'stopped':
        this.#speaking = false;
        this.#info('EndOfTurn', this.#text(event.samples), event.endMs);
        this.#turn += 1;
        return;
      default:
        event satisfies never;
    }
  }

  #text(samples: Int16Array): string {
    return this.#empty ? '' : this.#input.ears.recognise(samples);
  }

  #info(event: Deepgram.listen.ListenV2TurnInfo['event'], transcript: string, endMs: number): void {
    this.#sequence += 1;
    const spokenUntilMs = Math.max(this.#startMs, endMs - this.#silenceMs);
    this.#socket.delta({
      type: 'TurnInfo',
      request_id: 'request',
      sequence_id: this.#sequence,
      event,
      turn_index: this.#turn,
      audio_window_start: this.#startMs / 1_000,
      audio_window_end: endMs / 1_000,
      transcript,
      words: wordTimes(transcript, this.#startMs, spokenUntilMs).map(({ word, startMs, endMs: wordEndMs }) => ({
        word,
        confidence: 0.99,
        start: startMs / 1_000,
        end: wordEndMs / 1_000,
      })),
      end_of_turn_confidence: event === 'EndOfTurn' ? 0.9 : 0.2,
    } satisfies Deepgram.listen.ListenV2TurnInfo);
  }
}
