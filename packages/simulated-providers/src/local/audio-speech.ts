import type { ServerResponse } from 'node:http';
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import { z } from 'zod';
import { faultOf, type Fault } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { readBody } from '../http/json-body.ts';
import { refuseRequest } from '../http/refusal.ts';
import type { SpeechInput } from '../deepgram/speak-v2.ts';
import { openAiAccess, openAiRefusal } from '../openai-realtime/dialects/openai.ts';
import { pcmAt24Khz } from '../speech/pcm.ts';
import { wavHeader } from './wav.ts';

/** What OpenAI makes `pcm` of. */
const RATE_HZ = 24_000;
const CHUNK_MS = 240;
const BYTES_PER_MS = (RATE_HZ / 1_000) * 2;
/** No whole number of samples: networks cut anywhere. */
const ODD_BYTES = 7;

const schema = z.strictObject({
  model: z.string().min(1),
  input: z.string().min(1).max(4_096),
  voice: z.string().min(1),
  response_format: z.enum(['pcm', 'wav']),
  speed: z.number().min(0.25).max(4).optional(),
}) satisfies z.ZodType<Pick<SpeechCreateParams, 'model' | 'input' | 'voice' | 'response_format'>>;

/** The sound of a text, while it is made: `/v1/audio/speech`. */
export function audioSpeech({ clock, speak, timings, ledger }: SpeechInput): RequestEndpoint {
  return {
    method: 'POST',
    path: /^(?:\/local)?\/v1\/audio\/speech$/,
    handle({ url, headers, body }, response) {
      const read = readBody(body, schema);
      if (!read.ok) {
        const message = `Invalid value: '${read.path}'. ${read.problem}`;
        return refuseRequest(response, openAiRefusal(400, 'invalid_value', message));
      }
      const { model, input, response_format: format } = read.value;
      const refusal = openAiAccess({ url, headers }, model);
      if (refusal !== null) return refuseRequest(response, refusal);
      ledger.add({ component: 'tts', provider: 'local', unit: 'character', quantity: input.length });
      const alarms = new Alarms(clock);
      response.on('close', () => alarms.stop());
      const stream = new SoundStream({ response, alarms, fault: faultOf(model), soundSpeed: timings.soundSpeed });
      alarms.after(timings.firstSoundMs, () => {
        void speak(input).then((samples) => stream.start(format, samples));
      });
    },
  };
}

interface StreamInput {
  readonly response: ServerResponse;
  readonly alarms: Alarms;
  readonly fault: Fault | null;
  /** How many times faster than life. */
  readonly soundSpeed: number;
}

class SoundStream {
  readonly #input: StreamInput;
  #sound: Buffer = Buffer.alloc(0);
  #deltas = 0;

  constructor(input: StreamInput) {
    this.#input = input;
  }

  start(format: 'pcm' | 'wav', samples: Int16Array): void {
    const { response, fault } = this.#input;
    if (fault?.kind === 'stall' || response.destroyed) return;
    if (fault?.kind === 'garbage-json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end('{"audio":');
    }
    response.writeHead(200, { 'content-type': format === 'wav' ? 'audio/wav' : 'audio/pcm' });
    response.flushHeaders();
    const pcm = fault?.kind === 'empty' ? Buffer.alloc(0) : pcmAt24Khz(samples);
    this.#sound = format === 'wav' ? Buffer.concat([wavHeader(RATE_HZ), pcm]) : pcm;
    this.#next(0);
  }

  #next(from: number): void {
    const { response, alarms, fault, soundSpeed } = this.#input;
    if (fault?.kind === 'stall_after' && this.#deltas >= fault.afterDeltas) return;
    if (fault?.kind === 'drop' && this.#deltas >= fault.afterDeltas) return response.socket?.destroySoon();
    // Without its last chunk, however cleanly the socket ends (RFC 9112 section 8).
    if (fault?.kind === 'close-1000' && this.#deltas > 0) return void response.socket?.end();
    if (from >= this.#sound.length) return void response.end();
    const to = from + CHUNK_MS * BYTES_PER_MS + ODD_BYTES;
    this.#deltas += 1;
    response.write(this.#sound.subarray(from, to));
    alarms.after(CHUNK_MS / soundSpeed, () => this.#next(to));
  }
}
