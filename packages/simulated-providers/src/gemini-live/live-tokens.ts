import { textTokens } from '../openai-realtime/token-count.ts';
import type { LiveUsage } from './server-message.ts';

/** Source: https://ai.google.dev/gemini-api/docs/tokens */
const AUDIO_TOKENS_PER_SECOND = 25;
const audioTokens = (durationMs: number): number => Math.ceil((durationMs * AUDIO_TOKENS_PER_SECOND) / 1_000);

/** The tokens of a conversation: every answer reads all of it again. Nothing is cached. */
export class LiveTokens {
  #text: number;
  #audio = 0;

  constructor(instructions: string) {
    this.#text = textTokens(instructions);
  }

  wrote(text: string): void {
    this.#text += textTokens(text);
  }

  heard(durationMs: number): void {
    this.#audio += audioTokens(durationMs);
  }

  /** What an answer of so much sound is billed for. It joins the conversation. */
  answered(soundMs: number): LiveUsage {
    const response = audioTokens(soundMs);
    const prompt = this.#text + this.#audio;
    const usage: LiveUsage = {
      promptTokenCount: prompt,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: this.#text },
        { modality: 'AUDIO', tokenCount: this.#audio },
      ],
      responseTokenCount: response,
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: response }],
      totalTokenCount: prompt + response,
    };
    this.#audio += response;
    return usage;
  }
}
