import { SpokenSound, UnplayableSound } from '../../../sound/spoken-sound.ts';
import type { ProviderFailure } from '../../../mind.ts';
import { messageOf } from '../../llm/http-failure.ts';
import { LocalServer, type LocalAccess } from '../../local/local-server.ts';
import { charactersOf } from '../characters.ts';
import type { OpenTextToSpeech, TextToSpeech, TextToSpeechEvent } from '../text-to-speech.ts';

export interface LocalVoiceSettings {
  readonly model: string;
  readonly voice: string;
  readonly format: 'pcm' | 'wav';
  /** Of `pcm`. Default: 24,000, as OpenAI has it. */
  readonly sampleRate?: number;
  readonly speed?: number;
}

const OPENAI_RATE_HZ = 24_000;
/** What a server may answer that cannot be played. Many send no type, or a general one. */
const OTHER_TYPES = /json|text|html|xml|mpeg|mp3|ogg|opus|flac|aac|webm/i;
const NO_SOUND = 'the server made no sound of the text';

/** A sentence on its way. */
interface Request {
  readonly utterance: string;
  readonly abort: AbortController;
}

/**
 * `POST /audio/speech` of a server with OpenAI's interface (API reference, "Create speech"): a request for each sentence, one
 * after the other, and its sound while it is made.
 */
export function localVoice(access: LocalAccess, settings: LocalVoiceSettings): OpenTextToSpeech {
  return (listener) => new LocalVoice(access, settings, listener);
}

class LocalVoice implements TextToSpeech {
  readonly tellsTimes = false;
  readonly #server: LocalServer;
  readonly #settings: LocalVoiceSettings;
  readonly #listener: (event: TextToSpeechEvent) => void;
  readonly #closed = new AbortController();
  #waiting: { readonly utterance: string; readonly text: string }[] = [];
  #request: Request | null = null;
  /** Utterances of which no more text follows. */
  readonly #finished = new Set<string>();

  constructor(access: LocalAccess, settings: LocalVoiceSettings, listener: (event: TextToSpeechEvent) => void) {
    this.#server = new LocalServer(access, 'tts');
    this.#settings = settings;
    this.#listener = listener;
    void this.#check();
  }

  speak(utterance: string, text: string): void {
    this.#waiting.push({ utterance, text });
    this.#next();
  }

  finish(utterance: string): void {
    this.#finished.add(utterance);
    // Its caller does not expect the end before it returns.
    if (!this.#isWanted(utterance)) queueMicrotask(() => this.#endIfComplete(utterance));
  }

  cancel(utterance: string): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.utterance !== utterance);
    this.#finished.delete(utterance);
    if (this.#request?.utterance !== utterance) return;
    this.#request.abort.abort();
    this.#request = null;
    this.#next();
  }

  close(): void {
    this.#closed.abort();
    this.#request?.abort.abort();
    this.#request = null;
  }

  async #check(): Promise<void> {
    const failure = await this.#server.check(this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    if (failure === null) this.#listener({ kind: 'ready' });
    else this.#fail(failure);
  }

  #next(): void {
    if (this.#request !== null || this.#closed.signal.aborted) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const request = { utterance: next.utterance, abort: new AbortController() };
    this.#request = request;
    void this.#say(request, next.text.trim());
    const { model } = this.#settings;
    this.#listener({ kind: 'usage', entries: charactersOf({ provider: 'local', model }, next.text.trim().length) });
  }

  async #say(request: Request, text: string): Promise<void> {
    let response: Response | null = null;
    try {
      response = await this.#server.post({
        path: '/audio/speech',
        contentType: 'application/json',
        body: JSON.stringify(this.#bodyOf(text)),
        signal: request.abort.signal,
      });
      const problem = await this.#play(request, response);
      if (request !== this.#request) return;
      if (problem !== null) return this.#fail(problem);
    } catch (error) {
      if (request !== this.#request) return;
      return this.#fail(
        response === null ? this.#server.failureOf(error) : this.#server.failure('dropped', messageOf(error)),
      );
    }
    this.#request = null;
    this.#endIfComplete(request.utterance);
    this.#next();
  }

  /** Why the sentence was not spoken to its end; null if it was. */
  async #play(request: Request, response: Response): Promise<ProviderFailure | null> {
    if (!response.ok || response.body === null) return this.#server.refusal(response);
    const type = response.headers.get('content-type') ?? '';
    if (OTHER_TYPES.test(type)) return this.#server.failure('invalid_response', `the server answers with ${type}`);
    const { format, sampleRate = OPENAI_RATE_HZ } = this.#settings;
    const sound = new SpokenSound(format === 'wav' ? null : sampleRate);
    let sounds = false;
    const emit = (ulaw: Uint8Array) => {
      if (ulaw.length === 0 || request !== this.#request) return;
      sounds = true;
      this.#listener({ kind: 'sound', utterance: request.utterance, ulaw });
    };
    try {
      for await (const bytes of response.body) emit(sound.add(bytes));
      emit(sound.end());
    } catch (error) {
      if (!(error instanceof UnplayableSound)) throw error;
      return this.#server.failure('invalid_response', error.message);
    }
    return sounds ? null : this.#server.failure('invalid_response', NO_SOUND);
  }

  #bodyOf(input: string): Readonly<Record<string, unknown>> {
    const { model, voice, format, speed } = this.#settings;
    return { model, voice, input, response_format: format, ...(speed === undefined ? {} : { speed }) };
  }

  #isWanted(utterance: string): boolean {
    return this.#request?.utterance === utterance || this.#waiting.some((waiting) => waiting.utterance === utterance);
  }

  #endIfComplete(utterance: string): void {
    if (this.#closed.signal.aborted || this.#isWanted(utterance) || !this.#finished.delete(utterance)) return;
    this.#listener({ kind: 'over', utterance });
  }

  #fail(failure: ProviderFailure): void {
    if (this.#closed.signal.aborted) return;
    this.close();
    this.#listener({ kind: 'failed', failure });
  }
}
