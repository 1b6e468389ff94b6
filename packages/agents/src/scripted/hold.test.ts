import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { FIRST_MESSAGE, scriptedCalls } from '../testing/scripted-calls.ts';
import { rmsOf, silence, whiteNoise } from '../testing/sounds.ts';

const LONG_HOLD_MS = 600_000;

const speech = createSpeechSynthesizer({ clock: systemClock });
const clips = { hello: silence(0), back: silence(0) };
let call: Awaited<ReturnType<typeof scriptedCalls>>;

beforeAll(async () => {
  call = await scriptedCalls(speech);
  clips.hello = await speech.synthesize({ text: 'Hello?', voice: 'rms' });
  clips.back = await speech.synthesize({ text: 'I am back. Please go on.', voice: 'rms' });
});
afterAll(() => speech.close());

const no_input = { prompt: 'Are you there?', after_ms: 3_000, times: 0 };
const samplesSince = (played: Int16Array, ms: number) => played.subarray(ms * 8);

describe('a callee who puts the call on hold', () => {
  it('is not prompted for any hold time, and continues where they left', async () => {
    const { agent, callee } = await call({ no_input });
    callee.say(clips.hello);
    callee.hearOut();
    const heldMs = callee.nowMs();
    agent.setOnHold(true);
    callee.say(silence(LONG_HOLD_MS));
    expect(rmsOf(samplesSince(callee.played(), heldMs))).toBe(0);
    agent.setOnHold(false);
    callee.say(clips.back);
    callee.hearOut();
    expect(callee.hungUp()).toBeUndefined();
    const { transcript } = agent.finish();
    expect(transcript.map(({ role }) => role)).toEqual(['callee', 'agent', 'callee', 'agent']);
    // Times are relative to the answer, including time on hold.
    expect(transcript[2]?.start_ms).toBeGreaterThanOrEqual(heldMs + LONG_HOLD_MS);
  });

  it('and is silent afterwards gets the full waiting time again, and no more', async () => {
    const { agent, callee } = await call({ no_input });
    callee.say(clips.hello);
    callee.hearOut(1_000);
    agent.setOnHold(true);
    callee.say(silence(LONG_HOLD_MS));
    agent.setOnHold(false);
    const resumedMs = callee.nowMs();
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('silence_timeout');
    expect(callee.nowMs() - resumedMs).toBeGreaterThanOrEqual(3_000);
    expect(callee.nowMs() - resumedMs).toBeLessThanOrEqual(3_040);
    agent.finish();
  });

  it('before the first word is listened to first when they return', async () => {
    const { agent, callee } = await call({ no_input });
    agent.setOnHold(true);
    callee.say(silence(10_000));
    agent.setOnHold(false);
    callee.waitUntil(() => callee.agentSpeaks());
    expect(callee.nowMs()).toBe(11_200);
    agent.finish();
  });

  it('during a greeting is listened to again', async () => {
    const { agent, callee } = await call({ no_input });
    callee.say(clips.hello);
    agent.setOnHold(true);
    callee.say(silence(10_000));
    agent.setOnHold(false);
    const resumedMs = callee.nowMs();
    callee.waitUntil(() => callee.agentSpeaks());
    expect(callee.nowMs() - resumedMs).toBeLessThanOrEqual(1_220);
    expect(agent.finish().transcript[0]).toMatchObject({
      role: 'callee',
      start_ms: expect.toSatisfy((ms) => ms < 500),
    });
  });

  it('is not considered speaking while music plays', async () => {
    const { agent, callee } = await call({ no_input });
    callee.say(clips.hello);
    callee.hearOut();
    agent.setOnHold(true);
    callee.say(whiteNoise(5_000, 6_000));
    agent.setOnHold(false);
    expect(agent.finish().transcript.map(({ role }) => role)).toEqual(['callee', 'agent']);
  });

  it('hears the rest of the interrupted line', async () => {
    const { agent, callee } = await call({ no_input });
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(silence(500));
    agent.setOnHold(true);
    callee.say(silence(20_000));
    agent.setOnHold(false);
    callee.hearOut(1_000);
    const [, turn] = agent.finish().transcript;
    expect(turn).toMatchObject({ role: 'agent', text: FIRST_MESSAGE, interrupted: false });
    expect((turn?.end_ms ?? 0) - (turn?.start_ms ?? 0)).toBeGreaterThan(20_000);
  });
});
