import type { SpeechSynthesizer } from '@outdial/calls';
import { describe, expect, it } from 'vitest';
import { startCall } from '../testing/conversation.ts';
import { FIRST_MESSAGE, reminderWith, VARIABLES } from '../testing/scripted-calls.ts';
import { SpeechError } from '../speech/speech-error.ts';
import { brownNoise, silence, tone } from '../testing/sounds.ts';
import { createScriptedAgents } from './scripted-agents.ts';

/** Synthesis that completes when the test says so; each text sounds as a tone of 400 ms. */
function speechOnDemand() {
  const asked: { readonly text: string; readonly come: () => void; readonly fail: (error: Error) => void }[] = [];
  const speech: SpeechSynthesizer = {
    synthesize: ({ text }) =>
      new Promise((resolve, reject) => {
        asked.push({ text, come: () => resolve(tone(700, 400)), fail: reject });
      }),
  };
  return { speech, asked, texts: () => asked.map(({ text }) => text) };
}

/** Waits until the callbacks of settled promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const noReply = { prompt: 'Are you there?', after_ms: 1_000, times: 0 };

describe('an agent that is being prepared', () => {
  it('is ready once its first message is, before its other lines', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const preparing = createScriptedAgents({ speech }).prepare({ settings: reminderWith(), variables: VARIABLES });
    await settled();
    expect(texts()).toEqual([FIRST_MESSAGE]);
    asked[0]?.come();
    const agent = await preparing;
    const callee = startCall(agent);
    callee.waitUntil(() => callee.agentSpeaks(), 2_000);
    await agent.finish();
  });

  it('fails when the first message cannot be spoken', async () => {
    const { speech, asked } = speechOnDemand();
    const preparing = createScriptedAgents({ speech }).prepare({ settings: reminderWith(), variables: VARIABLES });
    const cause = new SpeechError('text_unspeakable', 'nothing in it has a sound');
    asked[0]?.fail(cause);
    await expect(preparing).rejects.toMatchObject({
      failure: { code: 'text_unspeakable', field: 'first_message' },
      cause,
    });
  });

  it('synthesizes its lines one after the other, and none after the end of the call', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const preparing = createScriptedAgents({ speech }).prepare({ settings: reminderWith(), variables: VARIABLES });
    asked[0]?.come();
    const agent = await preparing;
    await settled();
    expect(texts()).toEqual([FIRST_MESSAGE, 'This is the clinic, calling about an appointment.']);
    asked[1]?.come();
    await settled();
    expect(texts()).toHaveLength(3);
    await agent.finish();
    asked[2]?.come();
    await settled();
    expect(texts()).toHaveLength(3);
  });

  it('synthesizes each later step during the previous one, and not earlier', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const settings = reminderWith({ lines: ['The second.', 'The third.', 'The fourth.'] });
    const preparing = createScriptedAgents({ speech }).prepare({ settings, variables: VARIABLES });
    asked[0]?.come();
    const agent = await preparing;
    const callee = startCall(agent);
    for (let made = 1; made < 8; made += 1) {
      await settled();
      asked[made]?.come();
    }
    await settled();
    // All lines that may be needed at any time, and none of the later steps.
    expect(texts()).toHaveLength(8);
    expect(texts()).not.toContain('The third.');
    callee.waitUntil(() => callee.agentSpeaks());
    callee.hearOut();
    expect(texts()).not.toContain('The third.');
    // Short and loud, it counts as a voice.
    callee.say(brownNoise(600, 6_000));
    callee.waitUntil(() => callee.agentSpeaks());
    expect(texts().slice(8)).toEqual(['The third.']);
    await agent.finish();
  });
});

describe('a line that is due before it is synthesized', () => {
  it('is preceded by silence, and its turn starts with its sound', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const settings = reminderWith({
      lines: [],
      screening_reply: undefined,
      voicemail_message: undefined,
      menu: undefined,
    });
    const preparing = createScriptedAgents({ speech }).prepare({ settings, variables: VARIABLES });
    asked[0]?.come();
    const agent = await preparing;
    const callee = startCall(agent);
    callee.hearOut();
    // Silence triggers the prompt, which is not synthesized yet.
    callee.say(silence(6_000));
    expect(callee.agentSpeaks()).toBe(false);
    asked[texts().indexOf('Are you there?')]?.come();
    await settled();
    const madeMs = callee.nowMs();
    callee.waitUntil(() => callee.agentSpeaks(), 100);
    callee.hearOut();
    expect((await agent.finish()).transcript.at(-1)).toMatchObject({
      text: 'Are you there?',
      start_ms: madeMs,
      interrupted: false,
    });
  });

  it('ends the call with an error that says why, if synthesis fails', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const errors: unknown[] = [];
    const settings = reminderWith({
      lines: [],
      screening_reply: undefined,
      voicemail_message: undefined,
      menu: undefined,
    });
    const agents = createScriptedAgents({ speech, onError: (error) => errors.push(error) });
    const preparing = agents.prepare({ settings, variables: VARIABLES });
    asked[0]?.come();
    const callee = startCall(await preparing);
    await settled();
    asked[texts().indexOf('Are you there?')]?.fail(new Error('the engine is gone'));
    await settled();
    expect(callee.hungUp()).toBeUndefined();
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('agent_error');
    expect(callee.failure()).toEqual({ code: 'speech_failed', field: 'no_input.prompt' });
    expect(errors).toMatchObject([{ cause: new Error('the engine is gone') }]);
  });

  it('ends the call of a callee who has opted out as such, if synthesis of the confirmation fails', async () => {
    const { speech, asked, texts } = speechOnDemand();
    const errors: unknown[] = [];
    const settings = reminderWith({
      opt_out: { key: '9' },
      screening_reply: undefined,
      voicemail_message: undefined,
    });
    const agents = createScriptedAgents({ speech, onError: (error) => errors.push(error) });
    const preparing = agents.prepare({ settings, variables: VARIABLES });
    asked[0]?.come();
    const agent = await preparing;
    const callee = startCall(agent);
    await settled();
    agent.hearDigits('9');
    asked[texts().indexOf('You will not be called again. Goodbye.')]?.fail(new Error('the engine is gone'));
    await settled();
    callee.waitUntil(() => callee.hungUp() !== undefined, 1_000);
    expect(callee.hungUp()).toBe('opted_out');
    expect(errors).toMatchObject([{ cause: new Error('the engine is gone') }]);
    await agent.finish();
  });

  it('has no effect if it is never due', async () => {
    const { speech, asked } = speechOnDemand();
    const settings = reminderWith({ no_input: noReply });
    const preparing = createScriptedAgents({ speech }).prepare({ settings, variables: VARIABLES });
    asked[0]?.come();
    const callee = startCall(await preparing);
    await settled();
    asked[1]?.fail(new Error('the engine is gone'));
    callee.waitUntil(() => callee.hungUp() !== undefined);
    expect(callee.hungUp()).toBe('silence_timeout');
  });
});
