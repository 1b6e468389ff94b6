import { VOICES, type Voice } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { FIRST_MESSAGE, scriptedCalls } from '../testing/scripted-calls.ts';
import { concat, mix, silence, tone, whiteNoise } from '../testing/sounds.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
let call: Awaited<ReturnType<typeof scriptedCalls>>;
beforeAll(async () => {
  call = await scriptedCalls(speech);
});
afterAll(() => speech.close());

const say = (text: string, voice: Voice = 'rms') => speech.synthesize({ text, voice });
const beep = tone(1_000, 500, 8_192);
const VOICEMAIL =
  'You have reached the voicemail of Alex Morgan. I cannot come to the telephone right now. Please leave a message after the tone.';
const SCREENING = 'Hi. Please state your name and the reason for calling.';
const MENU =
  'Thank you for calling the service desk. To speak to a member of our team, press 1. To hear this again, stay on the line.';

const lastAgentText = (transcript: readonly { role: string; text: string | null }[]) =>
  transcript.findLast((turn) => turn.role === 'agent')?.text;

const sent = (callee: { events: readonly { kind: string }[] }) =>
  callee.events.flatMap((event) => ('digits' in event && typeof event.digits === 'string' ? [event.digits] : []));

describe('a person', () => {
  it.each(VOICES)('is recognized by a short greeting and silence, in voice %s', async (voice) => {
    for (const greeting of ['Hello?', 'Yes?', 'Hello, this is Anna.']) {
      const { agent, callee } = await call();
      callee.say(concat(silence(400), await say(greeting, voice), silence(1_000)));
      expect({ greeting, by: agent.finish().answeredBy }).toEqual({ greeting, by: 'human' });
    }
  });

  it('with a long greeting does not wait for a beep if there is no screening reply', async () => {
    const { agent, callee } = await call({ screening_reply: undefined });
    callee.say(await say('Good morning, Smith and Sons, Anna speaking.'));
    const greetedMs = callee.nowMs();
    callee.waitUntil(() => callee.agentSpeaks());
    expect(callee.nowMs() - greetedMs).toBeLessThan(2_000);
    expect(callee.answeredBy()).toEqual([]);
    callee.hearOut();
    callee.say(concat(await say('Yes, all right.'), silence(1_000)));
    expect(agent.finish().answeredBy).toBe('human');
  });

  it('who starts again together with the agent is still a person', async () => {
    const { agent, callee } = await call();
    const again = await say('Hello? Anna here, from the front desk. Who is it?');
    callee.say(concat(await say('Hello?'), silence(900), again, silence(3_000)));
    expect(callee.answeredBy()).toEqual(['human']);
    expect(sent(callee)).toEqual([]);
    agent.finish();
  });

  it('may reply to the first message at length', async () => {
    const { agent, callee } = await call();
    callee.hearOut();
    callee.say(concat(await say('Oh yes, thank you for calling, I had nearly forgotten.'), silence(1_000)));
    expect(agent.finish().answeredBy).toBe('human');
  });

  it('is recognized through street noise', async () => {
    const { agent, callee } = await call();
    const greeting = concat(silence(600), await say('Hello?'), silence(1_500));
    callee.say(mix(greeting, whiteNoise(greeting.length / 8, 400)));
    expect(agent.finish().answeredBy).toBe('human');
  });
});

describe('a voicemail', () => {
  it.each(VOICES)('gets its message after the beep, in voice %s', async (voice) => {
    const { agent, callee } = await call();
    callee.say(concat(silence(200), await say(VOICEMAIL, voice), silence(600), beep));
    const beepEndMs = callee.nowMs();
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('voicemail_reached');
    const { transcript, answeredBy, summary } = agent.finish();
    expect(answeredBy).toBe('voicemail');
    const message = transcript.filter((turn) => turn.role === 'agent');
    expect(message.map((turn) => turn.text)).toEqual(['This is the clinic. Please call us back.']);
    expect((message[0]?.start_ms ?? 0) - beepEndMs).toBeGreaterThanOrEqual(-20);
    expect((message[0]?.start_ms ?? Infinity) - beepEndMs).toBeLessThanOrEqual(200);
    expect(transcript.filter((turn) => turn.role === 'callee').every((turn) => turn.end_ms <= beepEndMs - 1_000)).toBe(
      true,
    );
    expect(summary).toContain('The voicemail message was left.');
  });

  it('is hung up on if there is no message to leave', async () => {
    const { agent, callee } = await call({ voicemail_message: undefined });
    callee.say(concat(await say(VOICEMAIL), silence(1_400), beep, silence(100)));
    expect(callee.hungUp()).toBe('voicemail_reached');
    expect(agent.finish().transcript.some((turn) => turn.role === 'agent')).toBe(false);
  });

  it('is recognized by its beep after a greeting as short as a person’s', async () => {
    const { agent, callee } = await call();
    callee.say(
      concat(await say('Hi, this is Bob.'), silence(1_200), await say('Leave me a message.'), silence(300), beep),
    );
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('voicemail_reached');
    expect(callee.answeredBy()).toEqual(['human', 'voicemail']);
    const { transcript } = agent.finish();
    expect(lastAgentText(transcript)).toBe('This is the clinic. Please call us back.');
    expect(transcript.filter((turn) => turn.role === 'agent')[0]?.interrupted).toBe(true);
  });

  it('is not inferred from a beep once a person has replied', async () => {
    const { agent, callee } = await call();
    callee.say(await say('Hello?'));
    callee.hearOut();
    callee.say(concat(await say('Yes, all right.'), silence(1_000), tone(440, 400), silence(1_000)));
    expect(agent.finish().answeredBy).toBe('human');
  });
});

describe('call screening', () => {
  it('gets the reply, and a hang-up after it counts as screened', async () => {
    const { agent, callee } = await call();
    callee.say(concat(silence(200), await say(SCREENING)));
    callee.hearOut();
    callee.say(silence(2_000));
    const { transcript, answeredBy } = agent.finish();
    expect(answeredBy).toBe('screening');
    expect(lastAgentText(transcript)).toBe('This is the clinic, calling about an appointment.');
  });

  it('that never passes the call on ends it', async () => {
    const { callee, agent } = await call();
    callee.say(await say(SCREENING));
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('call_screened');
    agent.finish();
  });

  it('that passes the call on leads to a person, who hears the script', async () => {
    const { callee, agent } = await call();
    callee.say(await say(SCREENING));
    callee.hearOut();
    callee.say(concat(silence(3_000), await say('Hello?')));
    callee.hearOut();
    const { transcript, answeredBy } = agent.finish();
    expect(callee.answeredBy()).toEqual(['screening', 'human']);
    expect(answeredBy).toBe('human');
    expect(lastAgentText(transcript)).toBe(FIRST_MESSAGE);
  });

  it('that declines and hangs up was not a person', async () => {
    const { callee, agent } = await call();
    callee.say(await say(SCREENING));
    callee.hearOut();
    callee.say(concat(silence(500), await say('Sorry, this person does not take calls.'), silence(1_000)));
    expect(agent.finish().answeredBy).toBe('screening');
  });
});

describe('a menu that answers', () => {
  it('gets the first key of the menu in the settings, and the person behind it hears the script', async () => {
    const { callee, agent } = await call();
    callee.say(concat(silence(200), await say(MENU)));
    callee.waitUntil(() => sent(callee).length > 0, 3_000);
    callee.say(concat(silence(100), await say('Service desk, how can I help?')));
    callee.hearOut();
    const { transcript, answeredBy, summary } = agent.finish();
    expect(sent(callee)).toEqual(['1']);
    expect(answeredBy).toBe('ivr');
    expect(lastAgentText(transcript)).toBe(FIRST_MESSAGE);
    expect(summary).toContain('The agent pressed 1.');
  });

  it('gets its key even if its first sentence is as short as a greeting', async () => {
    const { callee, agent } = await call();
    const choices = await say('To speak to a member of our team, press 1. To hear this again, stay on the line.');
    callee.say(concat(await say('Thank you for calling.'), silence(900), choices, silence(3_000)));
    expect(callee.answeredBy()).toEqual(['human', 'ivr']);
    expect(sent(callee)).toEqual(['1']);
    agent.finish();
  });

  it('that repeats its prompt gets the next key, and each key once', async () => {
    const { callee, agent } = await call({ screening_reply: undefined });
    const prompt = await say(MENU);
    for (let times = 0; times < 3; times += 1) callee.say(concat(prompt, silence(2_000)));
    expect(sent(callee)).toEqual(['1', '2']);
    agent.finish();
  });

  it('that goes silent after the key hears the script', async () => {
    const { callee, agent } = await call();
    callee.say(await say(MENU));
    callee.hearOut();
    expect(lastAgentText(agent.finish().transcript)).toBe(FIRST_MESSAGE);
  });

  it('is recognized by its repetition if the settings have no keys, and gets none', async () => {
    const { callee, agent } = await call({ menu: undefined, screening_reply: undefined, barge_in: false });
    const prompt = await say(MENU);
    callee.say(concat(prompt, silence(4_000), prompt, silence(1_000)));
    expect(callee.answeredBy()).toEqual(['unknown', 'ivr']);
    expect(sent(callee)).toEqual([]);
    agent.finish();
  });
});

describe('a recording without a distinguishing sign', () => {
  it('is unknown, and hears the script', async () => {
    const { callee, agent } = await call({ menu: undefined, screening_reply: undefined });
    callee.say(await say(VOICEMAIL));
    callee.hearOut();
    const { answeredBy, transcript } = agent.finish();
    expect(answeredBy).toBe('unknown');
    expect(lastAgentText(transcript)).toBe(FIRST_MESSAGE);
  });

  it('that never ends stops blocking the agent after a limit', async () => {
    const { callee, agent } = await call({ menu: undefined });
    const loop = concat(await say(VOICEMAIL), silence(300));
    for (let times = 0; times < 40 && callee.hungUp() === undefined; times += 1) callee.say(loop);
    expect(callee.hungUp()).toBeDefined();
    agent.finish();
  });
});
