import { FRAME_SAMPLES, type Frame } from '@outdial/calls';
import type { Voice } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { AUDIO_CONDITIONS, USUAL_RMS } from '../testing/audio-conditions.ts';
import { concat, mix, rmsOf, scale, silence } from '../testing/sounds.ts';
import { EchoDetector } from './echo-detector.ts';

const AGENT =
  'I can offer you a time tomorrow morning at ten, or another one in the late afternoon of the following day.';
const CALLEE = 'No, wait, excuse me, I really do not have the time for this now, please call me again another day.';
const LOUD_SHARE = 0.25;
/** A look every 100 ms, as at a callee who speaks over the agent. */
const LOOK_EVERY_FRAMES = 5;
/** Before that there is not enough sound to compare. */
const FIRST_LOOK_FRAME = 12;

const speech = createSpeechSynthesizer({ clock: systemClock });
let agent: Int16Array;
beforeAll(async () => {
  agent = await say(AGENT, 'slt');
});
afterAll(() => speech.close());

async function say(text: string, voice: Voice): Promise<Int16Array> {
  const sound = await speech.synthesize({ text, voice });
  return scale(sound, USUAL_RMS / rmsOf(sound));
}

const frameOf = (sound: Int16Array, nth: number): Frame =>
  sound.subarray(nth * FRAME_SAMPLES, (nth + 1) * FRAME_SAMPLES);

/** Of the looks at loud frames, the share that took it for an echo. */
function echoShare(heard: Int16Array, played: Int16Array): number {
  const echo = new EchoDetector();
  const looks: boolean[] = [];
  const loudRms = rmsOf(heard) * LOUD_SHARE;
  const frames = Math.floor(Math.min(heard.length, played.length) / FRAME_SAMPLES);
  for (let nth = 0; nth < frames; nth += 1) {
    const frame = frameOf(heard, nth);
    echo.heard(frame);
    const isLook = nth >= FIRST_LOOK_FRAME && nth % LOOK_EVERY_FRAMES === 0 && rmsOf(frame) > loudRms;
    if (isLook) looks.push(echo.isEcho());
    echo.played(frameOf(played, nth));
  }
  expect(looks.length).toBeGreaterThan(20);
  return looks.filter(Boolean).length / looks.length;
}

const late = (sound: Int16Array, ms: number): Int16Array => concat(silence(ms), sound);

/** What a room adds: reflections, each weaker than the one before. */
const inRoom = (sound: Int16Array): Int16Array =>
  mix(sound, scale(late(sound, 3), -0.5), scale(late(sound, 8), 0.5), scale(late(sound, 22), -0.4));

test.each(Object.entries(AUDIO_CONDITIONS))(
  'over %s most looks find the agent’s voice up to 300 ms later',
  (_, line) => {
    for (const delayMs of [40, 290]) {
      expect(echoShare(line(scale(late(agent, delayMs), 0.5)), agent)).toBeGreaterThan(0.6);
    }
  },
);

test('most looks find the agent’s voice in a room’s reflections', () => {
  expect(echoShare(inRoom(scale(late(agent, 120), 0.4)), agent)).toBeGreaterThan(0.6);
});

test.each(['rms', 'awb', 'kal'] as const)('a callee in voice %s is not taken for the agent', async (voice) => {
  expect(echoShare(await say(CALLEE, voice), agent)).toBeLessThan(0.02);
});

test('a callee who is louder than an echo is heard', async () => {
  const callee = await say(CALLEE, 'rms');
  expect(echoShare(mix(callee, scale(late(agent, 120), 0.25)), agent)).toBeLessThan(0.25);
});

test('what comes after the agent has been silent is not its echo', () => {
  const goneMs = agent.length / 8 + 600;
  expect(echoShare(late(agent, goneMs), concat(agent, silence(goneMs)))).toBe(0);
});
