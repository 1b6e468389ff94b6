import { setImmediate as afterOthers } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Resampler } from '../../../sound/resampler.ts';
import { samplesOfUlaw, ulawOfSamples } from '../../../sound/ulaw.ts';
import { wavOf } from '../../../sound/wav.ts';
import { transcribedSeconds, transcriptionRequest } from './transcription-request.ts';

const FIELDS = { model: 'whisper', language: 'en', keywords: [] };
const tone = (seconds: number) =>
  ulawOfSamples(Int16Array.from({ length: seconds * 8_000 }, (_, at) => 9_000 * Math.sin(at / 4)));

test('other calls take their turn while the sound of a long turn is resampled, and it sounds as if made at once', async () => {
  const ulaw = tone(20);
  const state = { isMade: false, others: 0 };
  const making = transcriptionRequest(FIELDS, ulaw).finally(() => (state.isMade = true));
  while (!state.isMade) {
    await afterOthers();
    state.others += 1;
  }
  expect(state.others).toBeGreaterThanOrEqual(19);

  const resampler = new Resampler(8_000, 16_000);
  const whole = wavOf(Int16Array.from([...resampler.add(samplesOfUlaw(ulaw)), ...resampler.end()]), 16_000);
  expect(Buffer.from((await making).body).includes(whole)).toBe(true);
  expect(transcribedSeconds(ulaw)).toBe(20);
});

test('a short sound is a second long, with silence at its end', async () => {
  const ulaw = tone(0.25);
  const body = Buffer.from((await transcriptionRequest(FIELDS, ulaw)).body);
  const at = body.indexOf('RIFF');
  expect(body.readUInt32LE(at + 40)).toBe(32_000);
  expect(body.subarray(at + 44 + 9_000, at + 44 + 32_000).every((byte) => byte === 0)).toBe(true);
  expect(transcribedSeconds(ulaw)).toBe(1);
});
