import { Worker } from 'node:worker_threads';
import { VOICES } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { bandEnergy, peakOf, rmsOf } from '../testing/sounds.ts';
import { SpeechError, type SpeechErrorCode } from './speech-error.ts';
import { startFliteThread } from './start-flite-thread.ts';
import { createSpeechSynthesizer, type SpeechSynthesizerOptions } from './synthesizer.ts';

const SENTENCE = 'Hello Anna, this is a reminder of your appointment on Monday.';
const open: { close(): Promise<void> }[] = [];
const synthesizer = (options: Partial<SpeechSynthesizerOptions> = {}) => {
  const created = createSpeechSynthesizer({ clock: systemClock, ...options });
  open.push(created);
  return created;
};
afterAll(() => Promise.all(open.map((one) => one.close())));

const refusal = (speech: Promise<unknown>): Promise<SpeechErrorCode> =>
  speech.then(
    () => expect.unreachable('it was spoken'),
    (error: unknown) => (error instanceof SpeechError ? error.code : Promise.reject(error)),
  );

describe('a synthesized text', () => {
  const speech = synthesizer();

  it.each(VOICES)('is speech of a natural length, level and spectrum, in voice %s', async (voice) => {
    const samples = await speech.synthesize({ text: SENTENCE, voice });
    expect(samples.length / 8_000).toBeGreaterThan(2.5);
    expect(samples.length / 8_000).toBeLessThan(6);
    expect(peakOf(samples)).toBe(20_000);
    const second = samples.subarray(8_000, 16_000);
    const total = bandEnergy(second, 50, 4_000);
    expect(bandEnergy(second, 200, 3_400) / total).toBeGreaterThan(0.5);
    expect(bandEnergy(second, 1_000, 3_400) / total).toBeGreaterThan(0.005);
  });

  it.each(VOICES)('starts within 30 ms in voice %s', async (voice) => {
    const samples = await speech.synthesize({ text: SENTENCE, voice });
    expect(rmsOf(samples.subarray(0, 240))).toBeGreaterThan(60);
  });

  it('is synthesized once, even for concurrent requests', async () => {
    let started = 0;
    const counted = synthesizer({
      startThread: () => {
        started += 1;
        return startFliteThread();
      },
    });
    const [first, second] = await Promise.all([
      counted.synthesize({ text: 'Once.', voice: 'kal' }),
      counted.synthesize({ text: 'Once.', voice: 'kal' }),
    ]);
    expect(second).toBe(first);
    expect(await counted.synthesize({ text: 'Once.', voice: 'kal' })).toBe(first);
    expect(await counted.synthesize({ text: 'Once.', voice: 'rms' })).not.toEqual(first);
    expect(started).toBe(1);
  });

  it('speaks accented names in Latin letters', async () => {
    const plain = await speech.synthesize({ text: 'Jose Muller', voice: 'kal' });
    expect(await speech.synthesize({ text: 'José Müller', voice: 'kal' })).toEqual(plain);
  });
});

describe('a text that cannot be spoken', () => {
  const speech = synthesizer({ maxTextLength: 100 });

  it.each(['', '   ', '...', '日本', '🙂'])('is rejected as unspeakable: %j', async (text) => {
    expect(await refusal(speech.synthesize({ text, voice: 'slt' }))).toBe('text_unspeakable');
  });

  it('is rejected when it is too long, and the error does not quote it', async () => {
    const error: unknown = await speech
      .synthesize({ text: 'secret '.repeat(40), voice: 'slt' })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'text_too_long', message: expect.not.stringContaining('secret') });
  });
});

describe('an engine that fails', () => {
  it('fails the current text, and the next text gets a new engine', async () => {
    const threads: Worker[] = [];
    const speech = synthesizer({
      startThread: () => {
        const thread = threads.length === 0 ? new Worker('process.exit(7)', { eval: true }) : startFliteThread();
        threads.push(thread);
        return thread;
      },
    });
    const lost = refusal(speech.synthesize({ text: 'Lost.', voice: 'kal' }));
    const next = speech.synthesize({ text: 'Next.', voice: 'kal' });
    expect(await lost).toBe('engine_failed');
    expect((await next).length).toBeGreaterThan(1_000);
    expect(threads).toHaveLength(2);
  });

  it('is replaced when it throws instead of replying', async () => {
    let threads = 0;
    const speech = synthesizer({
      startThread: () => {
        threads += 1;
        return new Worker('throw new Error("out of memory")', { eval: true });
      },
    });
    expect(await refusal(speech.synthesize({ text: 'One.', voice: 'kal' }))).toBe('engine_failed');
    expect(await refusal(speech.synthesize({ text: 'Two.', voice: 'kal' }))).toBe('engine_failed');
    expect(threads).toBe(2);
  });

  it('is stopped when it takes too long', async () => {
    const timers: (() => void)[] = [];
    const clock = {
      ...systemClock,
      after: (_delayMs: number, callback: () => void) => {
        timers.push(callback);
        return { cancel: () => {} };
      },
    };
    const hung = new Worker('setInterval(() => {}, 1000)', { eval: true });
    const ended = new Promise((resolve) => hung.once('exit', resolve));
    const speech = synthesizer({ clock, startThread: () => hung });
    const late = refusal(speech.synthesize({ text: 'Late.', voice: 'kal' }));
    timers[0]?.();
    expect(await late).toBe('timed_out');
    await ended;
  });
});

describe('a closed synthesizer', () => {
  it('rejects current, waiting and later texts', async () => {
    const speech = synthesizer();
    const pending = ['One.', 'Two.', 'Three.'].map((text) => refusal(speech.synthesize({ text, voice: 'kal' })));
    await speech.close();
    await speech.close();
    expect(await Promise.all(pending)).toEqual(['closed', 'closed', 'closed']);
    expect(await refusal(speech.synthesize({ text: 'Four.', voice: 'kal' }))).toBe('closed');
  });
});
