import { z } from 'zod';
import type { SpeechInput } from '../deepgram/speak-v2.ts';
import { faultOf } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { Address, SocketEndpoint } from '../http/endpoints.ts';
import { FaultySocket } from '../http/faulty-socket.ts';
import { isSimulatedKey, type Refusal } from '../http/refusal.ts';
import { UtteranceStream, type SpeechChunk } from '../speech/utterance-stream.ts';

const PARAMETERS = [
  'model_id',
  'output_format',
  'auto_mode',
  'sync_alignment',
  'inactivity_timeout',
  'language_code',
  'enable_logging',
  'apply_text_normalization',
  'seed',
];
const MAX_CONTEXTS = 5;
const POLICY_VIOLATION = 1_008;
const BYTES_PER_MS = 8;
const BITS = z.number().min(0).max(1).optional();

const clientMessage = z.strictObject({
  text: z.string().optional(),
  context_id: z.string().optional(),
  flush: z.boolean().optional(),
  close_context: z.boolean().optional(),
  close_socket: z.boolean().optional(),
  voice_settings: z
    .strictObject({
      speed: z.number().min(0.7).max(1.2).optional(),
      stability: BITS,
      similarity_boost: BITS,
      style: BITS,
      use_speaker_boost: z.boolean().optional(),
    })
    .optional(),
  generation_config: z.strictObject({ chunk_length_schedule: z.array(z.int()) }).optional(),
});

const detail = (status: number, code: string, message: string): Refusal => ({
  status,
  body: { detail: { status: code, message } },
  ...(status === 429 ? { retryAfterSeconds: 1 } : {}),
});

export function elevenLabsAccess({ headers }: Address): Refusal | null {
  const key = headers['xi-api-key'];
  return typeof key === 'string' && isSimulatedKey(key) ? null : detail(401, 'invalid_api_key', 'Invalid API key');
}

/** ElevenLabs: a socket with contexts, `multi-stream-input`. */
export function multiStreamInput(input: SpeechInput): SocketEndpoint {
  return {
    path: /^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/,
    open(address) {
      const refusal = elevenLabsAccess(address);
      if (refusal !== null) return { refusal };
      const { searchParams: query } = address.url;
      const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name));
      if (unknown !== undefined) return { refusal: detail(400, 'invalid_parameter', `Unknown parameter ${unknown}`) };
      const model = query.get('model_id') ?? '';
      const fault = faultOf(model);
      if (fault?.kind === 'status') return { refusal: detail(fault.status, 'refused', `HTTP ${fault.status}`) };
      if (fault === null && !model.startsWith('eleven_')) {
        return { refusal: detail(400, 'model_not_found', `No model ${model}`) };
      }
      if (query.get('output_format') !== 'ulaw_8000') {
        return { refusal: detail(400, 'invalid_output_format', 'This format is not simulated') };
      }
      return {
        serve(client) {
          const session = new MultiStream(input, new FaultySocket(client, fault));
          client.on('message', (data) => {
            if (!Buffer.isBuffer(data)) return;
            const message = clientMessage.safeParse(JSON.parse(data.toString('utf8')));
            if (!message.success) return client.close(POLICY_VIOLATION, 'invalid_message');
            session.receive(message.data);
          });
          client.on('close', () => session.close());
        },
      };
    },
  };
}

class MultiStream {
  readonly #input: SpeechInput;
  readonly #socket: FaultySocket;
  readonly #alarms: Alarms;
  readonly #contexts = new Map<string, UtteranceStream>();
  readonly #closing = new Set<string>();

  constructor(input: SpeechInput, socket: FaultySocket) {
    this.#input = input;
    this.#socket = socket;
    this.#alarms = new Alarms(input.clock);
  }

  receive(message: z.output<typeof clientMessage>): void {
    if (message.close_socket === true) return this.#socket.close(1_000, '');
    const id = message.context_id ?? 'default';
    if (message.close_context === true) {
      this.#closing.add(id);
      return this.#contexts.get(id)?.finish();
    }
    if (this.#closing.has(id)) return;
    const context = this.#contexts.get(id) ?? this.#open(id);
    const text = message.text ?? '';
    if (context === null || text.trim() === '') return;
    this.#input.ledger.add({ component: 'tts', provider: 'elevenlabs', unit: 'character', quantity: text.length });
    context.add(text);
  }

  close(): void {
    this.#alarms.stop();
    for (const context of this.#contexts.values()) context.stop();
  }

  #open(id: string): UtteranceStream | null {
    if (this.#contexts.size >= MAX_CONTEXTS) {
      const message = `Maximum simultaneous contexts per WebSocket connection exceeded (${MAX_CONTEXTS}).`;
      this.#socket.send({ message, error: 'max_active_conversations', code: POLICY_VIOLATION });
      this.#socket.close(POLICY_VIOLATION, message);
      return null;
    }
    const { speak, timings } = this.#input;
    const context = new UtteranceStream({
      alarms: this.#alarms,
      speak,
      timings,
      chunk: (chunk) => this.#socket.delta(soundMessage(id, chunk)),
      over: () => {
        this.#contexts.delete(id);
        this.#socket.delta({ isFinal: true, contextId: id });
      },
    });
    this.#contexts.set(id, context);
    return context;
  }
}

/** Times of characters are relative to the chunk. */
function soundMessage(contextId: string, { ulaw, text }: SpeechChunk): Readonly<Record<string, unknown>> {
  const chars = text.split('');
  const perCharacter = ulaw.length / BYTES_PER_MS / Math.max(1, chars.length);
  const alignment = {
    chars,
    charStartTimesMs: chars.map((_, index) => Math.round(index * perCharacter)),
    charDurationsMs: chars.map(() => Math.floor(perCharacter)),
  };
  return {
    audio: Buffer.from(ulaw).toString('base64'),
    isFinal: null,
    contextId,
    alignment,
    normalizedAlignment: alignment,
  };
}
