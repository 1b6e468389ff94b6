import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { FIRST_MESSAGE, scriptedCalls } from '../testing/scripted-calls.ts';
import { concat, rmsOf, silence } from '../testing/sounds.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
const say = (text: string) => speech.synthesize({ text, voice: 'rms' });
const clips = { hello: silence(0), yes: silence(0), objection: silence(0) };
let call: Awaited<ReturnType<typeof scriptedCalls>>;

beforeAll(async () => {
  call = await scriptedCalls(speech);
  clips.hello = await say('Hello?');
  clips.yes = await say('Yes, all right.');
  clips.objection = await say('Wait, I have a question about that day.');
});
afterAll(() => speech.close());

const agentTexts = (transcript: readonly { role: string; text: string | null }[]) =>
  transcript.filter((turn) => turn.role === 'agent').map((turn) => turn.text);

describe('a person who answers every line', () => {
  it('hears the whole script and the closing, and then the agent hangs up', async () => {
    const { agent, callee } = await call();
    callee.say(concat(silence(300), clips.hello));
    for (let turn = 0; turn < 2; turn += 1) {
      callee.hearOut();
      callee.say(clips.yes);
    }
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('agent_hangup');
    expect(callee.answeredBy()).toEqual(['human']);
    const { transcript, answeredBy, summary } = agent.finish();
    expect(answeredBy).toBe('human');
    expect(agentTexts(transcript)).toEqual([
      FIRST_MESSAGE,
      'Please bring your documents, and come ten minutes early.',
      'Goodbye.',
    ]);
    expect(transcript.map((turn) => turn.role)).toEqual(['callee', 'agent', 'callee', 'agent', 'callee', 'agent']);
    expect(summary).toMatch(
      /^Answered by a person\. The agent spoke 3 turns; the callee spoke 3 times, \d\.\d s in all; none of it was transcribed\.$/,
    );
  });

  it('gets a response within a second of finishing', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    const finishedMs = callee.nowMs();
    callee.waitUntil(() => callee.agentSpeaks());
    expect(callee.nowMs() - finishedMs).toBeLessThan(1_000);
    agent.finish();
  });

  it('becomes a callee turn with times and without text', async () => {
    const { agent, callee } = await call();
    callee.say(concat(silence(500), clips.hello, silence(1_000)));
    const [turn] = agent.finish().transcript;
    expect(turn).toMatchObject({ role: 'callee', text: null, source: 'untranscribed', interrupted: false });
    expect(Math.abs((turn?.start_ms ?? 0) - 500)).toBeLessThanOrEqual(80);
    expect(Math.abs((turn?.end_ms ?? 0) - (500 + clips.hello.length / 8))).toBeLessThanOrEqual(120);
  });
});

describe('an agent turn', () => {
  it('has the times at which its sound was played, to the frame', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    callee.hearOut();
    const turn = agent.finish().transcript.find(({ role }) => role === 'agent');
    const played = callee.played();
    const from = (turn?.start_ms ?? 0) * 8;
    const to = (turn?.end_ms ?? 0) * 8;
    expect(rmsOf(played.subarray(0, from))).toBe(0);
    expect(rmsOf(played.subarray(from, from + 320))).toBeGreaterThan(50);
    expect(rmsOf(played.subarray(to))).toBe(0);
    const spoken = await speech.synthesize({ text: FIRST_MESSAGE, voice: 'slt' });
    expect(played.subarray(from, from + spoken.length)).toEqual(spoken);
  });

  it('has the words that were played when the call ends during it', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(silence(1_000));
    const turn = agent.finish().transcript.at(-1);
    expect(turn).toMatchObject({ role: 'agent', interrupted: true });
    expect(FIRST_MESSAGE.startsWith(turn?.text ?? '?')).toBe(true);
    expect(turn?.text?.length).toBeGreaterThan(5);
    expect(turn?.text?.length).toBeLessThan(30);
  });
});

describe('a callee who says nothing', () => {
  it('is prompted as often as the settings allow, and then the call ends', async () => {
    const no_input = { prompt: 'Hello?', after_ms: 2_000, times: 3 };
    const { agent, callee } = await call({ no_input });
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('silence_timeout');
    const { transcript, answeredBy, summary } = agent.finish();
    expect(agentTexts(transcript)).toEqual([FIRST_MESSAGE, 'Hello?', 'Hello?', 'Hello?']);
    expect(answeredBy).toBe('unknown');
    expect(summary).toBe('It is unknown who answered. The agent spoke 4 turns; the callee did not speak.');
    const starts = transcript.map((turn) => turn.start_ms);
    const ends = transcript.map((turn) => turn.end_ms);
    expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBe(2_000);
  });

  it('is not prompted if the settings allow no prompt', async () => {
    const { agent, callee } = await call({ no_input: { prompt: 'Hello?', after_ms: 1_000, times: 0 } });
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('silence_timeout');
    expect(agentTexts(agent.finish().transcript)).toEqual([FIRST_MESSAGE]);
  });

  it('gets all prompts again after a reply', async () => {
    const { agent, callee } = await call({ no_input: { prompt: 'Hello?', after_ms: 1_000, times: 1 } });
    callee.hearOut();
    callee.hearOut();
    callee.say(clips.yes);
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(agentTexts(agent.finish().transcript).filter((text) => text === 'Hello?')).toHaveLength(2);
  });
});

describe('a callee who talks over the agent', () => {
  it('stops the agent within 300 ms, and the turn has what was played', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(silence(1_500));
    const objectedMs = callee.nowMs();
    callee.say(clips.objection);
    const interrupted = callee.events.find((event) => event.kind === 'interrupted');
    expect((interrupted?.atMs ?? Infinity) - objectedMs).toBeLessThanOrEqual(300);
    expect(rmsOf(callee.played().subarray((objectedMs + 300) * 8))).toBe(0);
    const turn = agent.finish().transcript.find(({ role }) => role === 'agent');
    expect(turn).toMatchObject({ interrupted: true, text: expect.stringMatching(/^Hello Anna/) });
    expect(turn?.end_ms).toBeLessThanOrEqual(objectedMs + 300);
  });

  it.each(['slt', 'rms', 'awb', 'kal'] as const)('is detected in time for any words, in voice %s', async (voice) => {
    for (const text of ['No.', 'Wait a moment.', 'Stop, please.', 'Hi there, who is this?', 'But I said so before.']) {
      const clip = await speech.synthesize({ text, voice });
      const { agent, callee } = await call();
      callee.waitUntil(() => callee.agentSpeaks());
      callee.say(silence(1_000));
      const objectedMs = callee.nowMs();
      callee.say(concat(clip, silence(300)));
      const interrupted = callee.events.find((event) => event.kind === 'interrupted');
      expect({ text, ms: (interrupted?.atMs ?? Infinity) - objectedMs }).toEqual({
        text,
        ms: expect.toSatisfy((ms: number) => ms <= 300),
      });
      agent.finish();
    }
  });

  it('hears a line that was interrupted before its half again, once', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    for (let times = 0; times < 2; times += 1) {
      callee.waitUntil(() => callee.agentSpeaks());
      callee.say(concat(silence(600), clips.objection));
    }
    callee.hearOut();
    expect(agentTexts(agent.finish().transcript)).toEqual([
      expect.stringMatching(/^Hello/),
      expect.stringMatching(/^Hello/),
      'Please bring your documents, and come ten minutes early.',
    ]);
  });

  it('does not stop the agent if the settings forbid it, and still counts as a reply', async () => {
    const { agent, callee } = await call({ barge_in: false });
    callee.say(clips.hello);
    for (let turn = 0; turn < 2; turn += 1) {
      callee.waitUntil(() => callee.agentSpeaks());
      callee.say(concat(silence(400), clips.yes));
      callee.hearOut();
    }
    callee.waitUntil(() => callee.hungUp() !== undefined, 10_000);
    expect(callee.hungUp()).toBe('agent_hangup');
    expect(callee.events.some((event) => event.kind === 'interrupted')).toBe(false);
    expect(agent.finish().transcript.some((turn) => turn.interrupted)).toBe(false);
  });

  it('cannot interrupt the closing', async () => {
    const { agent, callee } = await call({
      lines: [],
      closing: 'Thank you very much for your time today, and goodbye.',
    });
    callee.say(clips.hello);
    callee.hearOut();
    callee.say(clips.yes);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(concat(silence(300), clips.objection));
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('agent_hangup');
    expect(agent.finish().transcript.findLast(({ role }) => role === 'agent')?.interrupted).toBe(false);
  });

  it('is not detected in a click or a cough', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(concat(silence(500), clips.objection.subarray(800, 1_280)));
    callee.hearOut();
    expect(callee.events.some((event) => event.kind === 'interrupted')).toBe(false);
    agent.finish();
  });
});

describe('a key that the callee presses', () => {
  it('chooses from the menu, stops the agent, and is its own turn', async () => {
    const { agent, callee } = await call({ barge_in: false });
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(silence(500));
    agent.hearDigits('2');
    callee.hearOut();
    callee.say(clips.yes);
    callee.hearOut();
    const { transcript, summary } = agent.finish();
    expect(transcript.find((turn) => turn.source === 'dtmf')).toMatchObject({
      role: 'callee',
      text: '2',
      interrupted: false,
    });
    expect(agentTexts(transcript)).toEqual([
      expect.stringMatching(/^Hello/),
      'Please call our office to choose another day.',
      'Please bring your documents, and come ten minutes early.',
    ]);
    expect(summary).toContain('The callee pressed 2.');
  });

  it('is recorded and extends the callee’s time, if it is not in the menu', async () => {
    const { agent, callee } = await call({ no_input: { prompt: 'Hello?', after_ms: 3_000, times: 1 } });
    callee.say(clips.hello);
    callee.hearOut(2_000);
    agent.hearDigits('9');
    callee.say(silence(2_500));
    const { transcript } = agent.finish();
    expect(agentTexts(transcript)).toEqual([FIRST_MESSAGE]);
    expect(transcript.at(-1)).toMatchObject({ source: 'dtmf', text: '9' });
  });

  it('shows that a person answered', async () => {
    const { agent, callee } = await call();
    callee.hearOut();
    agent.hearDigits('9');
    expect(callee.answeredBy()).toEqual(['human']);
    expect(agent.finish().answeredBy).toBe('human');
  });
});

describe('a finished conversation', () => {
  it('returns the same result again, and neither hears nor speaks', async () => {
    const { agent, callee } = await call();
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    const result = agent.finish();
    const emitted = callee.events.length;
    callee.say(clips.objection);
    agent.hearDigits('1');
    expect(agent.speak()).toBeUndefined();
    expect(agent.finish()).toBe(result);
    expect(callee.events).toHaveLength(emitted);
  });
});
