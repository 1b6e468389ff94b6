import { randomUUID } from 'node:crypto';
import { setImmediate as afterOthers } from 'node:timers/promises';
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
/** A second of sound takes 2 ms to resample, and a turn may have 28: other calls of the thread take their turn in between. */
const SLICE_SAMPLES = ULAW_RATE_HZ;

export interface TranscriptionRequest {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** How much sound the request of a turn has. */
export const transcribedSeconds = (ulaw: Uint8Array): number => samplesFor(ulaw) / RATE_HZ;

const samplesFor = ({ length }: Uint8Array): number => Math.max(LEAST_SAMPLES, (length * RATE_HZ) / ULAW_RATE_HZ);

/** The body of `POST /audio/transcriptions` (RFC 7578), with the sound as a WAV file. */
export async function transcriptionRequest(
  { model, language, keywords }: TranscriptionFields,
  ulaw: Uint8Array,
): Promise<TranscriptionRequest> {
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
  const sound = wavOf(await samplesOf(ulaw), RATE_HZ);
  const body = Buffer.concat([Buffer.from(parts.join('') + file), sound, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: new Uint8Array(body),
  };
}

async function samplesOf(ulaw: Uint8Array): Promise<Int16Array> {
  const resampler = new Resampler(ULAW_RATE_HZ, RATE_HZ);
  const samples = new Int16Array(samplesFor(ulaw));
  let made = 0;
  const keep = (part: Int16Array): void => {
    samples.set(part, made);
    made += part.length;
  };
  for (let from = 0; from < ulaw.length; from += SLICE_SAMPLES) {
    if (from > 0) await afterOthers();
    keep(resampler.add(samplesOfUlaw(ulaw.subarray(from, from + SLICE_SAMPLES))));
  }
  keep(resampler.end());
  return samples;
}
