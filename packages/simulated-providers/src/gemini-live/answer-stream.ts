import type { Clock, Timer } from '@outdial/kernel';
import type { Reply } from '../script.ts';
import { pcmAt24Khz } from '../speech/pcm.ts';
import type { SpeakText } from '../voice.ts';
import type { LiveUsage, ServerMessage } from './server-message.ts';

export interface AnswerStreamInput {
  readonly reply: Reply;
  readonly callId: string;
  readonly clock: Clock;
  readonly speak: SpeakText;
  readonly send: (message: ServerMessage) => void;
  readonly isTranscribed: boolean;
  readonly thinkMs: number;
  readonly soundSpeed: number;
  readonly calledTool: (id: string, name: string) => void;
  readonly usageOf: (soundMs: number) => LiveUsage;
  readonly over: () => void;
}

const CHUNK_MS = 200;
const PCM_BYTES_PER_MS = 48;

/** One answer: its words and sound, faster than life, then its tool call. Its turn is complete at once: no tool is waited for. */
export class AnswerStream {
  readonly #input: AnswerStreamInput;
  readonly #words: readonly string[];
  #timer: Timer | null = null;
  #isOver = false;
  #pcm: Buffer = Buffer.alloc(0);
  #sentBytes = 0;
  #sentWords = 0;

  constructor(input: AnswerStreamInput) {
    this.#input = input;
    this.#words = input.reply.say?.match(/\S+\s*/g) ?? [];
  }

  start(): void {
    const { clock, thinkMs } = this.#input;
    this.#timer = clock.after(thinkMs, () => void this.#begin());
  }

  /** The callee or the client broke in. What was sent stays in the conversation. */
  interrupt(): void {
    if (this.#isOver) return;
    this.#input.send({ serverContent: { interrupted: true } });
    this.#finish();
  }

  /** Sends nothing more: the connection is gone. */
  stop(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  async #begin(): Promise<void> {
    const { reply, speak } = this.#input;
    if (reply.say !== undefined) this.#pcm = pcmAt24Khz(await speak(reply.say));
    if (!this.#isOver) this.#chunk();
  }

  #chunk(): void {
    if (this.#isOver) return;
    const { clock, soundSpeed, send, isTranscribed } = this.#input;
    const sound = this.#pcm.subarray(this.#sentBytes, this.#sentBytes + CHUNK_MS * PCM_BYTES_PER_MS);
    if (sound.length === 0) return this.#end();
    this.#sentBytes += sound.length;
    const inlineData = { mimeType: 'audio/pcm;rate=24000', data: sound.toString('base64') };
    send({ serverContent: { modelTurn: { role: 'model', parts: [{ inlineData }] } } });
    const until = Math.ceil((this.#words.length * this.#sentBytes) / this.#pcm.length);
    const text = this.#words.slice(this.#sentWords, until).join('');
    this.#sentWords = until;
    if (isTranscribed && text !== '') send({ serverContent: { outputTranscription: { text } } });
    this.#timer = clock.after(CHUNK_MS / soundSpeed, () => this.#chunk());
  }

  #end(): void {
    const { reply, send, callId, calledTool } = this.#input;
    if (reply.tool !== undefined) {
      const { name, arguments: args } = reply.tool;
      calledTool(callId, name);
      send({ toolCall: { functionCalls: [{ id: callId, name, args: { ...args } }] } });
    }
    send({ serverContent: { generationComplete: true } });
    this.#finish();
  }

  #finish(): void {
    this.stop();
    this.#input.over();
    const usageMetadata = this.#input.usageOf(this.#sentBytes / PCM_BYTES_PER_MS);
    this.#input.send({ serverContent: { turnComplete: true }, usageMetadata });
  }
}
