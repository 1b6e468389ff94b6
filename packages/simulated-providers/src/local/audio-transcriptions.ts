import type { ServerResponse } from 'node:http';
import type { Clock } from '@outdial/kernel';
import type { TranscriptionCreateResponse } from 'openai/resources/audio/transcriptions';
import { faultOf, type Fault } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { refuseRequest, type Refusal } from '../http/refusal.ts';
import type { ProviderLedger } from '../ledger.ts';
import { openAiAccess, openAiRefusal } from '../openai-realtime/dialects/openai.ts';
import type { Ears } from '../speech/ears.ts';
import { readForm, type FormPart } from './multipart.ts';
import { readWav } from './wav.ts';

export interface TranscriptionsInput {
  readonly clock: Clock;
  readonly ears: Ears;
  readonly timings: { readonly transcribeMs: number };
  readonly ledger: ProviderLedger;
}

const EAR_RATE_HZ = 8_000;
const FIELDS: ReadonlySet<string> = new Set(['file', 'model', 'language', 'prompt', 'response_format', 'temperature']);
const LANGUAGE = /^[a-z]{2}$/;
/** OpenAI refuses a shorter sound. */
const LEAST_SECONDS = 0.1;

interface Asked {
  readonly model: string;
  readonly samples: Int16Array;
  readonly rateHz: number;
}

/** The words of a sound: `/v1/audio/transcriptions`. */
export function audioTranscriptions({ clock, ears, timings, ledger }: TranscriptionsInput): RequestEndpoint {
  return {
    method: 'POST',
    path: /^(?:\/local)?\/v1\/audio\/transcriptions$/,
    handle({ url, headers, bytes }, response) {
      const read = readRequest(headers['content-type'] ?? '', bytes);
      const refusal = 'refusal' in read ? read.refusal : openAiAccess({ url, headers }, read.model);
      if (refusal !== null || 'refusal' in read)
        return refuseRequest(response, refusal ?? invalid('file', 'It is missing.'));
      const { model, samples, rateHz } = read;
      ledger.add({ component: 'stt', provider: 'local', unit: 'second', quantity: samples.length / rateHz });
      const alarms = new Alarms(clock);
      response.on('close', () => alarms.stop());
      const fault = faultOf(model);
      const text = fault?.kind === 'empty' ? '' : ears.recognise(atEarRate(samples, rateHz));
      alarms.after(timings.transcribeMs, () => answer(response, fault, { text }));
    },
  };
}

const invalid = (field: string, problem: string): Refusal =>
  openAiRefusal(400, 'invalid_value', `Invalid value: '${field}'. ${problem}`);

function readRequest(contentType: string, bytes: Buffer): Asked | { readonly refusal: Refusal } {
  const parts = readForm(contentType, bytes);
  if (parts === null) return { refusal: invalid('', 'The body is no form.') };
  const problem = problemOf(parts);
  if (problem !== null) return { refusal: problem };
  const part = (name: string) => parts.find((one) => one.name === name);
  const sound = readWav(part('file')?.body ?? Buffer.alloc(0));
  if (sound === null) return { refusal: invalid('file', 'It is no WAV file of mono samples of 16 bits.') };
  if (sound.samples.length < LEAST_SECONDS * sound.rateHz) return { refusal: invalid('file', 'It is too short.') };
  return { model: part('model')?.body.toString('utf8') ?? '', ...sound };
}

function problemOf(parts: readonly FormPart[]): Refusal | null {
  const names = parts.map(({ name }) => name);
  const unknown = names.find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return invalid(unknown, 'There is no such field.');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return invalid(twice, 'It is there twice.');
  const text = (name: string) => parts.find((one) => one.name === name)?.body.toString('utf8');
  if (text('model') === undefined || text('model') === '') return invalid('model', 'It is missing.');
  const language = text('language');
  if (language !== undefined && !LANGUAGE.test(language)) return invalid('language', 'It is no code of ISO 639-1.');
  const format = text('response_format');
  if (format !== undefined && format !== 'json') return invalid('response_format', 'It is not supported here.');
  const temperature = Number(text('temperature') ?? 0);
  if (!(temperature >= 0 && temperature <= 1)) return invalid('temperature', 'It must be from 0 to 1.');
  const file = parts.find(({ name }) => name === 'file');
  if (file === undefined || file.fileName?.endsWith('.wav') !== true) return invalid('file', 'It must be a file.');
  return null;
}

/** The ears know sentences at the rate of a telephone. */
function atEarRate(samples: Int16Array, rateHz: number): Int16Array {
  const step = rateHz / EAR_RATE_HZ;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, at) => samples[at * step] ?? 0);
}

type Answer = Extract<TranscriptionCreateResponse, { readonly text: string }>;

/** A response that breaks off ends after its first byte. */
function answer(response: ServerResponse, fault: Fault | null, words: Pick<Answer, 'text'>): void {
  if (fault?.kind === 'stall' || fault?.kind === 'stall_after' || fault?.kind === 'slow-tokens') return;
  const whole = Buffer.from(JSON.stringify(words satisfies Answer));
  const body = fault?.kind === 'garbage-json' ? Buffer.from('{"text":') : whole;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  if (fault?.kind === 'half-utf8') return inTwoPieces(response, body);
  if (fault?.kind !== 'drop' && fault?.kind !== 'close-1000') return void response.end(body);
  response.write(body.subarray(0, 1));
  if (fault.kind === 'drop') response.socket?.destroySoon();
  else response.socket?.end();
}

/** The second one comes in another packet, whose first byte is within a character. */
function inTwoPieces(response: ServerResponse, body: Buffer): void {
  const inside = body.findIndex((byte) => byte >= 0xc0) + 1;
  response.write(body.subarray(0, inside), () => response.end(body.subarray(inside)));
}
