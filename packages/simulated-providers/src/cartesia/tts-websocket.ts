import type { WebsocketResponse } from '@cartesia/cartesia-js/resources/tts';
import { z } from 'zod';
import type { SpeechInput } from '../deepgram/speak-v2.ts';
import { faultOf } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { Address, SocketEndpoint } from '../http/endpoints.ts';
import { FaultySocket } from '../http/faulty-socket.ts';
import { isSimulatedKey, type Refusal } from '../http/refusal.ts';
import { UtteranceStream } from '../speech/utterance-stream.ts';
import { wordTimes } from '../speech/word-times.ts';
import type { WebSocket } from 'ws';

const clientMessage = z.union([
  z.strictObject({ context_id: z.string(), cancel: z.literal(true) }),
  z.strictObject({
    context_id: z.string(),
    model_id: z.string(),
    transcript: z.string(),
    continue: z.boolean().optional(),
    flush: z.boolean().optional(),
    voice: z.strictObject({ mode: z.literal('id'), id: z.string() }),
    language: z.string().optional(),
    output_format: z.strictObject({
      container: z.literal('raw'),
      encoding: z.literal('pcm_mulaw'),
      sample_rate: z.literal(8_000),
    }),
    add_timestamps: z.boolean().optional(),
    max_buffer_delay_ms: z.int().min(0).max(5_000).optional(),
    generation_config: z.strictObject({ speed: z.number().min(0.6).max(1.5).optional() }).optional(),
  }),
]);

export function cartesiaAccess({ headers }: Address): Refusal | null {
  const key = headers['x-api-key'];
  if (headers['cartesia-version'] === undefined) {
    return { status: 400, body: { title: 'Missing version', message: 'Set the Cartesia-Version header.' } };
  }
  if (typeof key === 'string' && isSimulatedKey(key)) return null;
  return { status: 401, body: { title: 'Unauthorized', message: 'Invalid API key.' } };
}

/** Cartesia: a socket with contexts, `/tts/websocket`. */
export function ttsWebsocket(input: SpeechInput): SocketEndpoint {
  return {
    path: /^\/tts\/websocket$/,
    open(address) {
      const refusal = cartesiaAccess(address);
      if (refusal !== null) return { refusal };
      return {
        serve(client) {
          const session = new CartesiaSession(input, client);
          client.on('message', (data) => {
            if (Buffer.isBuffer(data)) session.receive(data.toString('utf8'));
          });
          client.on('close', () => session.close());
        },
      };
    },
  };
}

interface Context {
  readonly stream: UtteranceStream;
  /** All fields but the text must stay the same within a context. */
  readonly fields: string;
}

class CartesiaSession {
  readonly #input: SpeechInput;
  readonly #client: WebSocket;
  readonly #alarms: Alarms;
  readonly #contexts = new Map<string, Context>();

  constructor(input: SpeechInput, client: WebSocket) {
    this.#input = input;
    this.#client = client;
    this.#alarms = new Alarms(input.clock);
  }

  receive(text: string): void {
    const parsed = clientMessage.safeParse(JSON.parse(text));
    if (!parsed.success) return this.#error(undefined, 400, 'Invalid request', parsed.error.issues[0]?.message ?? '');
    const message = parsed.data;
    const id = message.context_id;
    if ('cancel' in message) {
      this.#contexts.get(id)?.stream.stop();
      this.#contexts.delete(id);
      return;
    }
    const { transcript, continue: more = false, ...fields } = message;
    const fault = faultOf(message.model_id);
    if (fault?.kind === 'status') return this.#error(id, fault.status, 'Refused', `HTTP ${fault.status}`);
    if (fault === null && !message.model_id.startsWith('sonic')) {
      return this.#error(id, 400, 'Invalid model', 'The model is not valid.');
    }
    const context =
      this.#contexts.get(id) ?? this.#open(id, JSON.stringify(fields), new FaultySocket(this.#client, fault));
    if (context.fields !== JSON.stringify(fields)) {
      return this.#error(id, 400, 'Invalid context', 'Only the transcript may change within a context.');
    }
    if (transcript !== '') {
      const quantity = transcript.length;
      this.#input.ledger.add({ component: 'tts', provider: 'cartesia', unit: 'character', quantity });
      context.stream.add(transcript);
    }
    if (!more) context.stream.finish();
  }

  close(): void {
    this.#alarms.stop();
    for (const { stream } of this.#contexts.values()) stream.stop();
  }

  #open(id: string, fields: string, socket: FaultySocket): Context {
    const { speak, timings } = this.#input;
    const stream = new UtteranceStream({
      alarms: this.#alarms,
      speak,
      timings,
      chunk: (chunk) => {
        if (chunk.whole !== null) socket.send(timestamps(id, chunk.whole.text, chunk.startMs, chunk.whole.endMs));
        socket.delta({
          type: 'chunk',
          context_id: id,
          data: Buffer.from(chunk.ulaw).toString('base64'),
          done: false,
          status_code: 206,
          step_time: 1,
        } satisfies WebsocketResponse.Chunk);
      },
      over: () => {
        this.#contexts.delete(id);
        socket.delta({ type: 'done', context_id: id, done: true, status_code: 200 } satisfies WebsocketResponse.Done);
      },
    });
    const context = { stream, fields };
    this.#contexts.set(id, context);
    return context;
  }

  #error(id: string | undefined, status: number, title: string, message: string): void {
    new FaultySocket(this.#client, null).send({
      type: 'error',
      ...(id === undefined ? {} : { context_id: id }),
      done: true,
      status_code: status,
      title,
      message,
    } satisfies WebsocketResponse.Error);
  }
}

/** Seconds of the context's sound. */
function timestamps(contextId: string, text: string, startMs: number, endMs: number) {
  const words = wordTimes(text, startMs, endMs);
  return {
    type: 'timestamps',
    context_id: contextId,
    done: false,
    status_code: 206,
    word_timestamps: {
      words: words.map(({ word }) => word),
      start: words.map((word) => word.startMs / 1_000),
      end: words.map((word) => word.endMs / 1_000),
    },
  } satisfies WebsocketResponse.Timestamps;
}
