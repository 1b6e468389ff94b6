/** Tokens that the provider bills: roughly as the real one counts. */
const WORDS_PER_TOKEN = 0.75;
const CALLEE_MS_PER_TOKEN = 100;
const AGENT_MS_PER_TOKEN = 50;

export const textTokens = (text: string): number =>
  Math.ceil(text.split(/\s+/).filter(Boolean).length / WORDS_PER_TOKEN);
export const calleeAudioTokens = (durationMs: number): number => Math.ceil(durationMs / CALLEE_MS_PER_TOKEN);
export const agentAudioTokens = (durationMs: number): number => Math.ceil(durationMs / AGENT_MS_PER_TOKEN);

export interface TokenTotals {
  readonly text: number;
  readonly audio: number;
}

/** The tokens of a conversation: every answer reads all of it again, and what an earlier answer read is cached. */
export class ConversationTokens {
  #text = 0;
  #audio = 0;
  #cachedText = 0;
  #cachedAudio = 0;

  add({ text, audio }: TokenTotals): void {
    this.#text += text;
    this.#audio += audio;
  }

  /** The `usage` of a response that produced `output`, which joins the conversation. */
  respond(instructions: string, output: TokenTotals) {
    const text = textTokens(instructions) + this.#text;
    const audio = this.#audio;
    const cached = { text: this.#cachedText, audio: this.#cachedAudio };
    this.#cachedText = text;
    this.#cachedAudio = audio;
    this.add(output);
    return {
      total_tokens: text + audio + output.text + output.audio,
      input_tokens: text + audio,
      output_tokens: output.text + output.audio,
      input_token_details: {
        text_tokens: text,
        audio_tokens: audio,
        image_tokens: 0,
        cached_tokens: Math.min(cached.text, text) + Math.min(cached.audio, audio),
        cached_tokens_details: {
          text_tokens: Math.min(cached.text, text),
          audio_tokens: Math.min(cached.audio, audio),
          image_tokens: 0,
        },
      },
      output_token_details: { text_tokens: output.text, audio_tokens: output.audio },
    };
  }
}
