import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import type { TestCall } from '../testing/conversation.ts';
import { scriptedCalls } from '../testing/scripted-calls.ts';
import { silence, tone } from '../testing/sounds.ts';

const CONFIRMATION = 'You will not be called again. Goodbye.';
const PROMPT = 'You have reached the voicemail of Alex. Please leave a message after the tone.';
const opt_out = { key: '9' };

const speech = createSpeechSynthesizer({ clock: systemClock });
const clips = { hello: silence(0), yes: silence(0), objection: silence(0), prompt: silence(0) };
let call: Awaited<ReturnType<typeof scriptedCalls>>;

beforeAll(async () => {
  const say = (text: string) => speech.synthesize({ text, voice: 'rms' });
  call = await scriptedCalls(speech);
  clips.hello = await say('Hello?');
  clips.yes = await say('Yes, all right.');
  clips.objection = await say('Wait, I have a question about that day.');
  clips.prompt = await say(PROMPT);
});
afterAll(() => speech.close());

type Called = Awaited<ReturnType<typeof call>>;

const optOuts = ({ events }: TestCall) => events.filter(({ kind }) => kind === 'opt_out');
const agentSaysNow = (callee: TestCall) => callee.waitUntil(() => callee.agentSpeaks(), 8_000);

function hearHangUp({ agent, callee }: Called) {
  callee.waitUntil(() => callee.hungUp() !== undefined, 20_000);
  return agent.finish().transcript.filter(({ role }) => role === 'agent');
}

/** How a call gets into each phase, from the answer to the agent's last frame. */
const PHASES: readonly (readonly [string, (call: Called) => void])[] = [
  ['before a word was said', () => {}],
  ['while the agent speaks', ({ callee }) => (callee.say(clips.hello), agentSaysNow(callee))],
  ['while the agent waits for a reply', ({ callee }) => (callee.say(clips.hello), callee.hearOut())],
  [
    'while the voicemail message is spoken',
    ({ callee }) => {
      callee.say(clips.prompt);
      callee.say(tone(1_000, 500, 6_000));
      agentSaysNow(callee);
    },
  ],
  [
    'while the closing is spoken',
    ({ callee }) => {
      callee.say(clips.hello);
      callee.hearOut();
      callee.say(clips.yes);
      agentSaysNow(callee);
    },
  ],
  [
    'in the moment after the closing',
    ({ callee }) => {
      callee.say(clips.hello);
      callee.hearOut();
      callee.say(clips.yes);
      callee.hearOut(100);
    },
  ],
];

describe('a callee who presses the key of the opt-out', () => {
  it.each(PHASES)('opts out once, hears the confirmation, and the call ends: %s', async (_phase, reach) => {
    const made = await call({ opt_out, lines: [] });
    reach(made);
    made.agent.hearDigits('9');
    expect(optOuts(made.callee)).toEqual([{ kind: 'opt_out', evidence: 'key', note: null }]);
    made.callee.say(silence(500));
    made.agent.hearDigits('9');
    const said = hearHangUp(made);
    expect(said.at(-1)).toMatchObject({ text: CONFIRMATION, interrupted: false });
    expect(made.callee.hungUp()).toBe('opted_out');
    expect(optOuts(made.callee)).toHaveLength(1);
  });

  it('breaks off the line, and hears the first word of the confirmation within 100 ms', async () => {
    const { agent, callee } = await call({ opt_out });
    callee.say(clips.hello);
    callee.waitUntil(() => callee.agentSpeaks());
    callee.say(silence(1_000));
    const pressedMs = callee.nowMs();
    agent.hearDigits('9');
    callee.hearOut();
    const [broken, confirmation] = agent.finish().transcript.filter(({ role }) => role === 'agent');
    expect(broken).toMatchObject({ interrupted: true });
    expect(callee.events).toContainEqual(expect.objectContaining({ kind: 'interrupted' }));
    expect((confirmation?.start_ms ?? Infinity) - pressedMs).toBeLessThanOrEqual(100);
  });

  it('hears the confirmation to its end, whatever is said or pressed meanwhile', async () => {
    const made = await call({ opt_out });
    made.callee.say(clips.hello);
    made.callee.hearOut();
    made.agent.hearDigits('9');
    agentSaysNow(made.callee);
    made.callee.say(clips.objection);
    made.agent.hearDigits('1');
    const said = hearHangUp(made);
    expect(said.map(({ text }) => text).slice(1)).toEqual([CONFIRMATION]);
    expect(said.at(-1)?.interrupted).toBe(false);
  });

  it('opts out although other keys came with it', async () => {
    const made = await call({ opt_out });
    made.agent.hearDigits('19');
    expect(hearHangUp(made).map(({ text }) => text)).toEqual([CONFIRMATION]);
  });

  it('has opted out also when it hangs up before the confirmation', async () => {
    const { agent, callee } = await call({ opt_out });
    agent.hearDigits('9');
    agent.finish();
    expect(optOuts(callee)).toHaveLength(1);
    expect(callee.hungUp()).toBeUndefined();
  });

  it('has opted out also after the agent has hung up', async () => {
    const { agent, callee } = await call({ opt_out, no_input: { prompt: 'Hello?', after_ms: 1_000, times: 0 } });
    callee.waitUntil(() => callee.hungUp() !== undefined);
    agent.hearDigits('9');
    expect(optOuts(callee)).toHaveLength(1);
    expect(callee.events.filter(({ kind }) => kind === 'hang_up')).toHaveLength(1);
    agent.finish();
  });
});

it('without an opt-out in the settings no key opts out', async () => {
  const { agent, callee } = await call();
  callee.say(clips.hello);
  agent.hearDigits('0123456789*#');
  expect(optOuts(callee)).toEqual([]);
  agent.finish();
});
