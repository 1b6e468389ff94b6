import type { Deepgram } from '@deepgram/sdk';
import { z } from 'zod';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { FaultySocket } from '../http/faulty-socket.ts';
import { TurnFinder, type TurnEvent } from '../speech/turn-finder.ts';
import { decodeUlaw } from '../speech/ulaw.ts';
import { wordTimes } from '../speech/word-times.ts';
import { streamOf } from './access.ts';
import type { ListenInput } from './listen-v2.ts';

const PARAMETERS = [
  'model',
  'language',
  'encoding',
  'sample_rate',
  'channels',
  'interim_results',
  'smart_format',
  'punctuate',
  'vad_events',
  'endpointing',
  'utterance_end_ms',
  'keyterm',
  'keywords',
  'mip_opt_out',
  'tag',
];
type StoppedTurn = Extract<TurnEvent, { kind: 'stopped' }>;
const BYTES_PER_SECOND = 8_000;
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('KeepAlive') }),
  z.strictObject({ type: z.literal('Finalize') }),
  z.strictObject({ type: z.literal('CloseStream') }),
]);

/** Deepgram's Nova: `/v1/listen`. */
export function listenV1({ ears, timings, ledger }: ListenInput): SocketEndpoint {
  return {
    path: /^\/v1\/listen$/,
    open(address) {
      const stream = streamOf(address, { models: /^nova-/, parameters: PARAMETERS });
      if ('refusal' in stream) return stream;
      const endpointing = Number(address.url.searchParams.get('endpointing') ?? timings.endOfTurnMs);
      return {
        serve(client) {
          const socket = new FaultySocket(client, stream.fault);
          const turns = new TurnFinder({ silenceMs: endpointing });
          const answer = ({ samples, startMs, endMs }: Omit<StoppedTurn, 'kind'>, finalized = false) => {
            const text = stream.fault?.kind === 'empty' ? '' : ears.recognise(samples);
            socket.delta({ ...results(text, startMs, endMs), from_finalize: finalized });
          };
          const hear = (ulaw: Uint8Array) => {
            const quantity = ulaw.length / BYTES_PER_SECOND;
            ledger.add({ component: 'stt', provider: 'deepgram', unit: 'second', quantity });
            for (const event of turns.hear(decodeUlaw(ulaw))) {
              if (event.kind === 'started') socket.delta(speechStarted(event.startMs));
              if (event.kind === 'stopped') answer({ ...event, endMs: event.endMs - endpointing });
            }
          };
          client.on('message', (data, isBinary) => {
            if (!Buffer.isBuffer(data)) return;
            if (isBinary) return hear(data);
            const message = clientMessage.safeParse(JSON.parse(data.toString('utf8')));
            if (!message.success) return client.close(1_008, 'DATA-0000');
            if (message.data.type === 'CloseStream') client.close(1_000);
            const turn = message.data.type === 'Finalize' ? turns.end() : null;
            if (turn !== null) answer(turn, true);
          });
        },
      };
    },
  };
}

function speechStarted(startMs: number) {
  return {
    type: 'SpeechStarted',
    channel: [0, 1],
    timestamp: startMs / 1_000,
  } satisfies Deepgram.listen.ListenV1SpeechStarted;
}

function results(transcript: string, startMs: number, endMs: number) {
  const words = wordTimes(transcript, startMs, endMs).map((word) => ({
    word: word.word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, ''),
    punctuated_word: word.word,
    confidence: 0.99,
    start: word.startMs / 1_000,
    end: word.endMs / 1_000,
  }));
  return {
    type: 'Results',
    channel_index: [0, 1],
    duration: (endMs - startMs) / 1_000,
    start: startMs / 1_000,
    is_final: true,
    speech_final: true,
    channel: { alternatives: [{ transcript, confidence: 0.99, words }] },
    metadata: {
      request_id: 'request',
      model_info: { name: 'nova-3', version: '1', arch: 'nova-3' },
      model_uuid: 'model',
    },
  } satisfies Deepgram.listen.ListenV1Results;
}
