import { randomUUID } from 'node:crypto';
import { Resampler } from '../../../sound/resampler.ts';
import { samplesOfUlaw, ULAW_RATE_HZ } from '../../../sound/ulaw.ts';
import { wavOf } from '../../../sound/wav.ts';

export interface TranscriptionFields {
  readonly model: string;
  /** ISO 639-1. */
  readonly language: string;
  /** Words that the model is to expect. */
  readonly keywords: readonly string[];
}

/** What models of speech are trained on. whisper.cpp takes no other rate. */
const RATE_HZ = 16_000;
/** Models of speech make up words for a shorter sound, and some servers refuse it. */
const LEAST_SAMPLES = RATE_HZ;

export interface TranscriptionRequest {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Of the sound in it. */
  readonly seconds: number;
}

/** The body of `POST /audio/transcriptions` (RFC 7578), with the sound as a WAV file. */
export function transcriptionRequest(
  { model, language, keywords }: TranscriptionFields,
  ulaw: Uint8Array,
): TranscriptionRequest {
  const boundary = `outdial-${randomUUID()}`;
  const fields = {
    model,
    language,
    response_format: 'json',
    ...(keywords.length === 0 ? {} : { prompt: keywords.join(', ') }),
  };
  const head = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}\r\n${value}\r\n`);
  const file = `${head('name="file"; filename="turn.wav"')}Content-Type: audio/wav\r\n\r\n`;
  const samples = samplesOf(ulaw);
  const sound = wavOf(samples, RATE_HZ);
  const body = Buffer.concat([Buffer.from(parts.join('') + file), sound, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: new Uint8Array(body),
    seconds: samples.length / RATE_HZ,
  };
}

function samplesOf(ulaw: Uint8Array): Int16Array {
  const resampler = new Resampler(ULAW_RATE_HZ, RATE_HZ);
  const parts = [resampler.add(samplesOfUlaw(ulaw)), resampler.end()];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const samples = new Int16Array(Math.max(LEAST_SAMPLES, length));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}
