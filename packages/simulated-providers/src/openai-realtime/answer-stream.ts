import type { Clock, Timer } from '@outdial/kernel';
import type { Reply } from '../script.ts';
import { encodeUlaw } from '../speech/ulaw.ts';
import type { SpeakText } from '../voice.ts';
import type { ServerMessage } from './server-message.ts';
import { agentAudioTokens, textTokens, type TokenTotals } from './token-count.ts';

type Item = Extract<ServerMessage, { type: 'response.output_item.done' }>['item'];
type Response = Extract<ServerMessage, { type: 'response.done' }>['response'];

export interface AnswerStreamInput {
  readonly responseId: string;
  readonly nextId: (prefix: string) => string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly reply: Reply;
  readonly clock: Clock;
  readonly speak: SpeakText;
  readonly send: (event: ServerMessage) => void;
  /** The session has text and no sound. */
  readonly inText: boolean;
  readonly thinkMs: number;
  /** It fails for the rate. */
  readonly isLimited: boolean;
  readonly soundSpeed: number;
  readonly sounded: (item: string, ms: number) => void;
  readonly calledTool: (callId: string, name: string) => void;
  readonly added: (item: Item) => void;
  readonly usageOf: (output: TokenTotals) => NonNullable<Response['usage']>;
  readonly over: () => void;
}

/** The message of the error is not in the types of the SDK. */
const LIMITED = {
  type: 'failed',
  error: {
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached on tokens per min (TPM). Please try again in 300ms.',
  },
} as const;
const CHUNK_MS = 200;
const BYTES_PER_MS = 8;

/** One answer: its words and sound, faster than life, then its tool call. */
export class AnswerStream {
  readonly id: string;
  readonly #input: AnswerStreamInput;
  readonly #items: Item[] = [];
  #timer: Timer | null = null;
  #over = false;
  #message: { readonly id: string; readonly sound: Uint8Array; readonly words: readonly string[] } | null = null;
  #sentMs = 0;
  #sentWords = 0;

  constructor(input: AnswerStreamInput) {
    this.#input = input;
    this.id = input.responseId;
  }

  /** How much of it was sent. */
  get soundMs(): number {
    return this.#sentMs;
  }

  start(): void {
    const { send, clock, thinkMs } = this.#input;
    send({ type: 'response.created', response: this.#response('in_progress') });
    this.#timer = clock.after(thinkMs, () => void this.#begin());
  }

  cancel(reason: 'turn_detected' | 'client_cancelled'): void {
    if (!this.#over) this.#finish('cancelled', { type: 'cancelled', reason });
  }

  /** Sends nothing more: the connection is gone. */
  stop(): void {
    this.#over = true;
    this.#timer?.cancel();
  }

  async #begin(): Promise<void> {
    const { reply, speak, isLimited } = this.#input;
    if (isLimited) return this.#finish('failed', LIMITED);
    if (reply.say === undefined) return this.#callTool();
    if (this.#input.inText) return this.#write(reply.say);
    const samples = await speak(reply.say);
    if (this.#over) return;
    const id = this.#input.nextId('item');
    this.#message = { id, sound: encodeUlaw(samples), words: reply.say.match(/\S+\s*/g) ?? [] };
    const item: Item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const place = { response_id: this.id, output_index: 0 };
    this.#input.send({ type: 'response.output_item.added', ...place, item });
    this.#input.send({
      type: 'response.content_part.added',
      ...place,
      item_id: id,
      content_index: 0,
      part: { type: 'audio', transcript: '' },
    });
    this.#chunk();
  }

  #write(text: string): void {
    const id = this.#input.nextId('item');
    const words = text.match(/\S+\s*/g) ?? [];
    const place = { response_id: this.id, output_index: 0 };
    const item: Item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    this.#input.send({ type: 'response.output_item.added', ...place, item });
    for (const delta of words) {
      this.#input.send({ type: 'response.output_text.delta', ...place, item_id: id, content_index: 0, delta });
    }
    this.#sentWords = words.length;
    this.#input.send({ type: 'response.output_text.done', ...place, item_id: id, content_index: 0, text });
    this.#itemDone({ ...item, status: 'completed', content: [{ type: 'output_text', text }] });
    this.#callTool();
  }

  #chunk(): void {
    const message = this.#message;
    if (this.#over || message === null) return;
    const place = { response_id: this.id, output_index: 0, item_id: message.id, content_index: 0 };
    const from = this.#sentMs * BYTES_PER_MS;
    const sound = message.sound.subarray(from, from + CHUNK_MS * BYTES_PER_MS);
    if (sound.length === 0) return this.#endMessage();
    const share = (from + sound.length) / message.sound.length;
    for (; this.#sentWords < Math.ceil(message.words.length * share); this.#sentWords += 1) {
      const delta = message.words[this.#sentWords] ?? '';
      this.#input.send({ type: 'response.output_audio_transcript.delta', ...place, delta });
    }
    this.#input.send({ type: 'response.output_audio.delta', ...place, delta: Buffer.from(sound).toString('base64') });
    this.#sentMs += sound.length / BYTES_PER_MS;
    this.#input.sounded(message.id, this.#sentMs);
    this.#timer = this.#input.clock.after(CHUNK_MS / this.#input.soundSpeed, () => this.#chunk());
  }

  #endMessage(): void {
    const message = this.#message;
    if (message === null) return;
    const place = { response_id: this.id, output_index: 0, item_id: message.id, content_index: 0 };
    this.#input.send({ type: 'response.output_audio.done', ...place });
    this.#input.send({ type: 'response.output_audio_transcript.done', ...place, transcript: message.words.join('') });
    this.#closeMessage('completed');
    this.#callTool();
  }

  #closeMessage(status: 'completed' | 'incomplete'): void {
    const message = this.#message;
    if (message === null) return;
    this.#message = null;
    const transcript = message.words.slice(0, this.#sentWords).join('');
    const content = [{ type: 'output_audio', transcript } as const];
    const item: Item = { id: message.id, type: 'message', role: 'assistant', status, content };
    this.#itemDone(item);
  }

  #callTool(): void {
    const { tool } = this.#input.reply;
    if (tool !== undefined) {
      const callId = this.#input.nextId('call');
      const text = JSON.stringify(tool.arguments);
      const item: Item = {
        id: this.#input.nextId('item'),
        type: 'function_call',
        status: 'completed',
        call_id: callId,
        name: tool.name,
        arguments: text,
      };
      this.#input.calledTool(callId, tool.name);
      this.#itemDone(item);
    }
    this.#finish('completed');
  }

  #itemDone(item: Item): void {
    this.#items.push(item);
    this.#input.added(item);
    const place = { response_id: this.id, output_index: this.#items.length - 1 };
    this.#input.send({ type: 'response.output_item.done', ...place, item });
  }

  #finish(status: 'completed' | 'cancelled' | 'failed', details?: Response['status_details']): void {
    this.#closeMessage('incomplete');
    this.stop();
    const words =
      this.#input.reply.say
        ?.match(/\S+\s*/g)
        ?.slice(0, this.#sentWords)
        .join('') ?? '';
    const usage = this.#input.usageOf({ text: textTokens(words), audio: agentAudioTokens(this.#sentMs) });
    this.#input.over();
    this.#input.send({
      type: 'response.done',
      response: {
        ...this.#response(status),
        ...(details === undefined ? {} : { status_details: details }),
        output: [...this.#items],
        usage,
      },
    });
  }

  #response(status: NonNullable<Response['status']>): Response {
    return { id: this.id, object: 'realtime.response', status, metadata: { ...this.#input.metadata }, output: [] };
  }
}
