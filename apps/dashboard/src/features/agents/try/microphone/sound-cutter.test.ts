import { isTrySound } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { decodeUlaw } from '../../../../shared/sound/ulaw.ts';
import { SoundCutter } from './sound-cutter.ts';

test('a microphone becomes messages of 40 ms that the service accepts, with what was said in them', () => {
  const rate = 48_000;
  const cutter = new SoundCutter(rate);
  const sounds = Array.from({ length: 375 }, (_, block) => {
    const at = (of: number) => block * 128 + of;
    return cutter.push(
      Float32Array.from({ length: 128 }, (_, of) => 0.5 * Math.sin((2 * Math.PI * 400 * at(of)) / rate)),
    );
  }).flat();
  expect(sounds).toHaveLength(24);
  for (const { ulaw, level } of sounds.slice(1)) {
    expect([isTrySound(ulaw), ulaw.length]).toEqual([true, 320]);
    expect(Math.max(...decodeUlaw(ulaw))).toBeCloseTo(0.5, 1);
    expect(level).toBeGreaterThan(50);
  }
});

test('silence is silence, and its level 0', () => {
  const [sound] = new SoundCutter(8_000).push(new Float32Array(1_000));
  expect(sound?.level).toBe(0);
  expect(new Set(sound?.ulaw)).toEqual(new Set([0xff]));
});
