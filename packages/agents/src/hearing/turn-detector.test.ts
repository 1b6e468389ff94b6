import { FRAME_SAMPLES } from '@outdial/calls';
import { VOICES } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { brownNoise, concat, mix, rmsOf, scale, silence, tone, whiteNoise } from '../testing/sounds.ts';
import { createTurnDetector, END_OF_TURN_MS, type SpokenTurn } from './turn-detector.ts';
import { loadVoiceDetectors } from './voice-detector.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
const detectors = loadVoiceDetectors();
afterAll(() => speech.close());

async function turnsIn(sound: Int16Array): Promise<readonly SpokenTurn[]> {
  const detector = createTurnDetector((await detectors)());
  const turns: SpokenTurn[] = [];
  for (const frame of framesOf(sound)) {
    const { ended } = detector.hear(frame);
    if (ended !== undefined) turns.push(ended);
  }
  const last = detector.cut();
  detector.free();
  return last === undefined ? turns : [...turns, last];
}

const framesOf = (sound: Int16Array) =>
  Array.from({ length: Math.floor(sound.length / FRAME_SAMPLES) }, (_, index) =>
    sound.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES),
  );

const sentence = (voice: (typeof VOICES)[number]) =>
  speech.synthesize({ text: 'Yes, that is fine with me, thank you very much.', voice });

describe('a callee turn', () => {
  it.each(VOICES)('is found with its times in voice %s, in silence and in noise 15 dB below it', async (voice) => {
    const clip = await sentence(voice);
    const line = concat(silence(2_000), clip, silence(2_000));
    const noiseRms = rmsOf(clip) / 10 ** (15 / 20);
    for (const sound of [
      line,
      mix(line, whiteNoise(line.length / 8, noiseRms)),
      mix(line, brownNoise(line.length / 8, noiseRms)),
    ]) {
      const turns = await turnsIn(sound);
      expect(turns).toHaveLength(1);
      expect(Math.abs((turns[0]?.startMs ?? 0) - 2_000)).toBeLessThanOrEqual(200);
      expect(Math.abs((turns[0]?.endMs ?? 0) - (2_000 + clip.length / 8))).toBeLessThanOrEqual(300);
    }
  });

  it('continues over a pause for breath, and splits at a longer one', async () => {
    const clip = await sentence('slt');
    expect(await turnsIn(concat(clip, silence(END_OF_TURN_MS - 250), clip, silence(1_000)))).toHaveLength(1);
    expect(await turnsIn(concat(clip, silence(END_OF_TURN_MS + 100), clip, silence(1_000)))).toHaveLength(2);
  });

  it('is found at whisper level and at full level', async () => {
    const clip = await sentence('slt');
    expect(await turnsIn(concat(silence(500), scale(clip, 0.08), silence(1_000)))).toHaveLength(1);
    expect(await turnsIn(concat(silence(500), scale(clip, 1.6), silence(1_000)))).toHaveLength(1);
  });

  it.each([200, 400, 600, 650, 680])(
    'is reported once and ends before a long beep that follows after %d ms',
    async (pauseMs) => {
      const clip = await sentence('rms');
      const turns = await turnsIn(
        concat(silence(200), clip, silence(pauseMs), tone(1_000, 1_000, 8_192), silence(1_000)),
      );
      expect(turns).toHaveLength(1);
      expect(turns[0]?.endMs).toBeLessThanOrEqual(200 + clip.length / 8 + 100);
    },
  );

  it('that was cut during a beep is not restored at its end', async () => {
    const clip = await sentence('rms');
    const detector = createTurnDetector((await detectors)());
    const hearAll = (sound: Int16Array) =>
      framesOf(sound).flatMap((frame) => {
        const { ended } = detector.hear(frame);
        return ended === undefined ? [] : [ended];
      });
    expect(hearAll(concat(clip, silence(200), tone(1_000, 400, 8_192)))).toEqual([]);
    expect(detector.cut()).toBeDefined();
    expect(hearAll(concat(tone(1_000, 400, 8_192), silence(1_000)))).toEqual([]);
    detector.free();
  });

  it('is heard even if a tone was sounding when beep detection stopped', async () => {
    const clip = await sentence('rms');
    const turns = await turnsIn(
      concat(silence(89_500), tone(1_000, 1_000, 8_192), silence(2_000), clip, silence(1_000)),
    );
    expect(turns.at(-1)?.startMs).toBeGreaterThan(92_000);
  });

  it('is found after a noise that was taken for speech', async () => {
    const clip = await sentence('slt');
    const engine = brownNoise(20_000, 1_500);
    const turns = await turnsIn(
      concat(engine, mix(scale(clip, 1.2), brownNoise(clip.length / 8, 300)), silence(1_000)),
    );
    expect(turns.at(-1)?.startMs).toBeGreaterThanOrEqual(19_500);
    expect(turns.at(-1)?.endMs).toBeGreaterThan(20_000 + clip.length / 8 - 500);
  });
});

describe('is not a turn:', () => {
  it('background noise', async () => {
    expect(await turnsIn(whiteNoise(10_000, 300))).toEqual([]);
  });

  it.each([500, 1_500, 2_900])('a beep of %d ms', async (durationMs) => {
    expect(await turnsIn(concat(silence(503), tone(1_000, durationMs, 8_192), silence(1_000)))).toEqual([]);
  });

  it('loud noise', async () => {
    expect(await turnsIn(brownNoise(30_000, 9_000))).toEqual([]);
  });

  it('a voice without pauses, once it has lasted impossibly long', async () => {
    const drone = Array.from({ length: 9 }, (_, index) => tone(130 * (index + 1), 960, 1_500));
    const bar = concat(mix(...drone), silence(40));
    const turns = await turnsIn(concat(...Array.from({ length: 60 }, () => bar)));
    expect(turns[0]?.speechMs).toBeGreaterThan(11_000);
    expect(turns.reduce((sum, turn) => sum + turn.speechMs, 0)).toBeLessThan(16_000);
  });
});
