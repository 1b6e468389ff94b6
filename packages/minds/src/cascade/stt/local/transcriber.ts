import type { Clock } from '@outdial/kernel';
import { z } from 'zod';
import type { ProviderFailure, UsageEntry } from '../../../mind.ts';
import { messageOf } from '../../llm/http-failure.ts';
import type { LocalServer } from '../../local/local-server.ts';
import { issueOf } from '../../parse-message.ts';
import { transcribedSeconds, transcriptionRequest, type TranscriptionFields } from './transcription-request.ts';

/** The callee waits for the answer by then: a server that takes longer is no use in a call. */
const WITHIN_MS = 5_000;
const MAX_CHARACTERS = 256 * 1_024;
const answer = z.object({ text: z.string() });
/** What models of speech write for sound without words. */
const NO_WORDS = /^\W*(?:blank[_ ]audio|silence|no speech|inaudible|music|noise)\W*$/i;

/** A sound on its way through a server. */
export interface Transcription {
  /** Empty if no words were heard; null if it was given up, or failed. Never rejects. */
  readonly text: Promise<string | null>;
  cancel(): void;
}

export interface TranscriberInput {
  readonly server: LocalServer;
  readonly fields: TranscriptionFields;
  readonly clock: Clock;
  readonly usage: (entries: readonly UsageEntry[]) => void;
  readonly failed: (failure: ProviderFailure) => void;
}

/** Asks a server for the words of sounds. */
export class Transcriber {
  readonly #input: TranscriberInput;
  readonly #open = new Set<AbortController>();

  constructor(input: TranscriberInput) {
    this.#input = input;
  }

  transcribe(ulaw: Uint8Array): Transcription {
    const { fields, usage } = this.#input;
    const abort = new AbortController();
    this.#open.add(abort);
    const text = this.#ask(ulaw, abort).finally(() => this.#open.delete(abort));
    const quantity = transcribedSeconds(ulaw);
    usage([{ component: 'stt', provider: 'local', model: fields.model, unit: 'second', quantity }]);
    return { text, cancel: () => abort.abort() };
  }

  /** Ends all that is under way. */
  close(): void {
    for (const abort of this.#open) abort.abort();
  }

  async #ask(ulaw: Uint8Array, abort: AbortController): Promise<string | null> {
    const { clock, failed } = this.#input;
    const limit = { isOver: false };
    const timer = clock.after(WITHIN_MS, () => {
      limit.isOver = true;
      abort.abort();
    });
    const outcome = await this.#answer(ulaw, abort.signal);
    timer.cancel();
    if (typeof outcome === 'string') return outcome;
    if (limit.isOver) failed(this.#input.server.failure('stalled', 'no words came of the sound'));
    else if (!abort.signal.aborted) failed(outcome);
    return null;
  }

  async #answer(ulaw: Uint8Array, signal: AbortSignal): Promise<string | ProviderFailure> {
    const { server, fields } = this.#input;
    const { contentType, body } = await transcriptionRequest(fields, ulaw);
    let response: Response | null = null;
    try {
      response = await server.post({ path: '/audio/transcriptions', contentType, body, signal });
      if (!response.ok) return await server.refusal(response);
      return this.#wordsOf(await response.text());
    } catch (error) {
      return response === null ? server.failureOf(error) : server.failure('dropped', messageOf(error));
    }
  }

  #wordsOf(text: string): string | ProviderFailure {
    const { server } = this.#input;
    if (text.length > MAX_CHARACTERS) return server.failure('invalid_response', 'the answer is too long');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return server.failure('invalid_response', 'the answer was not JSON');
    }
    const parsed = answer.safeParse(value);
    if (!parsed.success) return server.failure('invalid_response', issueOf(parsed.error));
    const words = parsed.data.text.replaceAll(/\s+/g, ' ').trim();
    return NO_WORDS.test(words) ? '' : words;
  }
}
