import { describe, expect, test } from 'vitest';
import { calleeSays, CASCADE, conductedCall, greetedCall, speech } from '../testing/conducted-calls.ts';
import { silence, tone } from '../testing/sounds.ts';

const PROMPT_MS = 3_000;
const MENU_MS = 5_000;
const OPENING = 'Good morning Anna, this is the dental practice.';
const textsOf = (turns: readonly { readonly role: string; readonly text: string | null }[]) =>
  turns.map(({ role, text }) => [role, text]);

describe('the first words', () => {
  test('wait until it is known who answered, and are said word for word', async () => {
    const { agent, callee, mind } = await conductedCall();
    expect(mind.asked).toEqual([{ kind: 'say', text: 'Good morning Anna, this is the dental practice.' }]);
    mind.says('first', 'Good morning Anna, this is the dental practice.', 1_000);
    callee.say(silence(100));
    callee.say(speech(600));
    expect(callee.agentSpeaks()).toBe(false);
    expect(mind.of('open_gate')).toHaveLength(0);
    callee.hearOut();
    expect(callee.answeredBy()).toEqual(['human']);
    expect(mind.of('open_gate')).toHaveLength(1);
    const { transcript } = await agent.finish();
    expect(transcript).toMatchObject([
      { role: 'callee', text: null, source: 'untranscribed' },
      { role: 'agent', text: 'Good morning Anna, this is the dental practice.', source: 'script', interrupted: false },
    ]);
  });

  test('are asked for once more when the model said others, and then taken as they are', async () => {
    const { agent, callee, mind } = await conductedCall();
    mind.says('wrong', 'Sure! How can I help you today?', 600);
    expect(mind.of('cut')).toEqual([{ kind: 'cut', item: 'wrong', playedMs: 0, heardText: '' }]);
    expect(mind.of('say').map(({ text }) => text)).toEqual(Array.from({ length: 2 }, () => OPENING));
    mind.says('again', 'Good evening Hanna, this is the hospital.', 600);
    expect(mind.of('say')).toHaveLength(2);
    callee.say(silence(100));
    callee.say(speech(600));
    callee.hearOut();
    expect(textsOf((await agent.finish()).transcript)).toEqual([
      ['callee', null],
      ['agent', 'Good evening Hanna, this is the hospital.'],
    ]);
  });

  test('are not asked for again for other punctuation, or when they are played already', async () => {
    const similar = await conductedCall();
    similar.mind.says('first', 'good morning, Anna. This is the dental practice!', 600);
    const played = await conductedCall();
    played.callee.say(silence(1_500));
    played.mind.begins('first', 'Sure! How can I help you today?', 600);
    played.callee.waitUntil(() => played.callee.agentSpeaks(), 400);
    played.mind.emit({ kind: 'answer_over', empty: false });
    for (const { mind } of [similar, played]) expect(mind.of('say')).toHaveLength(1);
  });

  test('come after 1.2 s of silence', async () => {
    const { callee, mind } = await conductedCall();
    mind.says('first', OPENING, 400);
    callee.waitUntil(() => callee.agentSpeaks(), 1_300);
    expect(callee.nowMs()).toBeGreaterThanOrEqual(1_200);
  });

  test('are the model’s when the settings say so', async () => {
    const { agent, callee, mind } = await conductedCall({ first_message_mode: 'generated' });
    expect(mind.asked).toMatchObject([{ kind: 'respond', hint: expect.stringContaining('Good morning Anna') }]);
    mind.says('first', 'Hello Anna!', 400);
    callee.hearOut();
    expect((await agent.finish()).transcript).toMatchObject([{ text: 'Hello Anna!', source: 'model' }]);
  });

  test('are the callee’s when the settings say so', async () => {
    const { callee, mind } = await conductedCall({ first_speaker: 'callee' });
    callee.say(silence(200));
    callee.say(speech(600));
    callee.say(silence(800));
    expect(mind.asked.map(({ kind }) => kind)).toEqual(['open_gate', 'respond']);
  });
});

test('a mind learns when the ear hears speech, and where it pauses', async () => {
  const { callee, mind } = await conductedCall();
  callee.say(silence(200));
  callee.say(speech(600));
  callee.say(silence(400));
  callee.say(speech(400));
  callee.say(silence(1_000));
  expect(mind.speech).toMatchObject([
    { kind: 'speech', is: 'began', atMs: expect.closeTo(200, -2) },
    { kind: 'speech', is: 'paused', atMs: expect.closeTo(800, -2) },
    { kind: 'speech', is: 'resumed', atMs: expect.closeTo(1_200, -2) },
    { kind: 'speech', is: 'paused', atMs: expect.closeTo(1_600, -2) },
    { kind: 'speech', is: 'ended', atMs: expect.closeTo(2_300, -2) },
  ]);
});

describe('who answered', () => {
  test('a beep gets the message, and the first words are dropped', async () => {
    const message = 'Please call us back.';
    const { agent, callee, mind } = await conductedCall({ voicemail: { action: 'leave_message', message } });
    mind.says('first', OPENING, 1_000);
    callee.say(silence(200));
    callee.say(speech(PROMPT_MS));
    callee.say(silence(300));
    callee.say(tone(1_000, 400, 4_000));
    callee.say(silence(200));
    expect(callee.answeredBy()).toEqual(['voicemail']);
    expect(mind.of('cut')).toEqual([{ kind: 'cut', item: 'first', playedMs: 0, heardText: '' }]);
    expect(mind.of('say').at(-1)?.text).toBe(message);
    mind.says('message', message, 800);
    callee.waitUntil(() => callee.hungUp() !== undefined, 2_000);
    expect(callee.hungUp()).toBe('voicemail_reached');
    const { transcript, summary } = await agent.finish();
    expect(textsOf(transcript).filter(([role]) => role === 'agent')).toEqual([['agent', message]]);
    expect(summary).toContain('The voicemail message was left.');
  });

  test('a beep ends the call when no message is wanted', async () => {
    const { callee } = await conductedCall();
    callee.say(silence(200));
    callee.say(speech(PROMPT_MS));
    callee.say(silence(300));
    callee.say(tone(1_000, 400, 4_000));
    callee.waitUntil(() => callee.hungUp() !== undefined, 500);
    expect(callee.hungUp()).toBe('voicemail_reached');
  });

  test('a screening service gets the reply, and then a person the conversation', async () => {
    const { callee, mind } = await conductedCall({ screening_reply: 'The dental practice.' });
    mind.says('first', OPENING, 1_000);
    callee.say(silence(200));
    callee.say(speech(PROMPT_MS));
    callee.waitUntil(() => mind.of('say').length === 2, 4_000);
    mind.says('reply', 'The dental practice.', 600);
    callee.hearOut();
    callee.say(speech(600));
    callee.say(silence(800));
    expect(callee.answeredBy()).toEqual(['screening', 'human']);
    expect(mind.of('open_gate')).toHaveLength(1);
  });

  test('a screening service that passes nothing on ends the call', async () => {
    const { callee, mind } = await conductedCall({ screening_reply: 'The dental practice.' });
    callee.say(silence(200));
    callee.say(speech(PROMPT_MS));
    callee.waitUntil(() => mind.of('say').length === 2, 4_000);
    mind.says('first', OPENING, 400);
    mind.says('reply', 'The dental practice.', 600);
    callee.waitUntil(() => callee.hungUp() !== undefined, 10_000);
    expect(callee.hungUp()).toBe('call_screened');
  });

  test('a menu gets the model when it may press digits', async () => {
    const tools = [{ type: 'press_digits', name: 'press', description: 'Presses keys.' }];
    const { callee, mind } = await conductedCall({ tools });
    callee.say(silence(200));
    callee.say(speech(MENU_MS));
    callee.waitUntil(() => mind.of('open_gate').length === 1, 4_000);
    expect(callee.answeredBy()).toEqual(['ivr']);
    expect(mind.asked.at(-1)?.kind).toBe('respond');
    mind.emit({ kind: 'act', id: 'one', act: { kind: 'press_digits', digits: '1,2' } });
    callee.waitUntil(() => mind.of('act_done').length === 1, 2_000);
    expect(callee.events.filter(({ kind }) => kind === 'send_digits')).toEqual([
      { kind: 'send_digits', digits: '1' },
      { kind: 'send_digits', digits: '2' },
    ]);
    expect(mind.of('act_done')).toEqual([{ kind: 'act_done', id: 'one', output: 'pressed', answer: true }]);
  });
});

test('a machine that the model finds without a word gets the message', async () => {
  const message = 'Please call us back.';
  const tools = [{ type: 'leave_voicemail', name: 'leave', description: 'Leaves a message.' }];
  const voicemail = { action: 'leave_message', message };
  const { agent, callee, mind } = await conductedCall({ first_speaker: 'callee', tools, voicemail });
  callee.say(silence(200));
  callee.say(speech(600));
  callee.waitUntil(() => mind.of('respond').length === 1, 2_000);
  mind.emit({ kind: 'answer_over', empty: false });
  mind.emit({ kind: 'act', id: 'one', act: { kind: 'leave_voicemail' } });
  callee.waitUntil(() => mind.of('say').length === 1, 9_000);
  mind.says('message', message, 800);
  callee.waitUntil(() => callee.hungUp() !== undefined, 2_000);
  expect(callee.hungUp()).toBe('voicemail_reached');
  expect((await agent.finish()).transcript.at(-1)?.text).toBe(message);
});

describe('a callee who speaks over the agent', () => {
  test('silences it at once, and cuts it once the interruption is confirmed', async () => {
    const call = await greetedCall();
    const { agent, callee, mind } = call;
    calleeSays(call, 'Yes?');
    mind.says('answer', 'We would like to move your appointment to another day.', 4_000);
    callee.say(silence(2_000));
    callee.say(speech(260));
    expect(callee.agentSpeaks()).toBe(false);
    expect(mind.of('cut')).toEqual([]);
    callee.say(speech(200));
    expect(mind.of('cut')).toMatchObject([{ item: 'answer' }]);
    expect(mind.of('cut')[0]?.playedMs).toBeGreaterThan(1_900);
    const { transcript } = await agent.finish();
    const cut = transcript.find(({ interrupted }) => interrupted);
    expect(cut?.text).toBe(mind.of('cut')[0]?.heardText);
    expect('We would like to move your appointment to another day.').toContain(cut?.text);
    expect(callee.events).toContainEqual(expect.objectContaining({ kind: 'interrupted' }));
    const metrics = callee.events.filter((event) => event.kind === 'turn_metrics').at(-1);
    expect(metrics?.bargeInMs).toBeLessThanOrEqual(250);
  });

  test('cuts it to the words whose times were played, where the voice reports them', async () => {
    const call = await greetedCall(CASCADE);
    const { agent, callee, mind } = call;
    calleeSays(call, 'Yes?');
    const places = [
      ['We ', 0, 300],
      ['would ', 300, 600],
      ['like ', 2_100, 2_400],
      ['Tuesday.', 3_700, 4_000],
    ] as const;
    for (const [text, startMs, endMs] of places) {
      mind.emit({ kind: 'words', item: 'answer', text, place: { startMs, endMs } });
    }
    mind.begins('answer', '', 4_000);
    callee.waitUntil(() => callee.agentSpeaks(), 400);
    callee.say(silence(1_600));
    callee.say(speech(460));
    const [cut] = mind.of('cut');
    expect(cut?.playedMs).toBeGreaterThan(1_600);
    expect(cut?.playedMs).toBeLessThan(2_400);
    expect(cut?.heardText).toBe('We would');
    expect((await agent.finish()).transcript.find(({ interrupted }) => interrupted)?.text).toBe('We would');
  });

  test('cuts it sooner when the provider hears the callee too', async () => {
    const { callee, mind } = await greetedCall();
    mind.says('answer', 'We would like to move your appointment.', 4_000);
    callee.say(silence(1_000));
    callee.say(speech(240));
    mind.emit({ kind: 'callee_speaking', atMs: 0 });
    callee.say(speech(20));
    expect(mind.of('cut')).toHaveLength(1);
  });

  test('does not stop it for long with a cough', async () => {
    const { agent, callee, mind } = await greetedCall();
    mind.says('answer', 'We would like to move your appointment.', 3_000);
    callee.say(silence(1_000));
    callee.say(speech(180));
    callee.say(silence(100));
    expect(callee.agentSpeaks()).toBe(false);
    callee.hearOut(600);
    expect(mind.of('cut')).toEqual([]);
    const { transcript } = await agent.finish();
    expect(transcript.at(-1)?.interrupted ?? true).toBe(false);
    expect(textsOf(transcript)).toContainEqual(['agent', 'We would like to move your appointment.']);
  });

  test('does not stop it with a phrase to ignore', async () => {
    const { callee, mind } = await greetedCall({ interruption: { ignore_phrases: ['I see'] } });
    mind.says('answer', 'We would like to move your appointment.', 4_000);
    callee.say(silence(1_000));
    const startMs = callee.nowMs();
    callee.say(speech(600));
    expect(callee.agentSpeaks()).toBe(false);
    mind.emit({ kind: 'callee_said', text: 'I see.', startMs, endMs: startMs + 600 });
    callee.say(silence(40));
    expect(callee.agentSpeaks()).toBe(true);
    expect(mind.of('cut')).toEqual([]);
  });

  test('does not stop it when the settings forbid it, nor in its closing', async () => {
    const talking = await greetedCall({ interruption: { enabled: false } });
    talking.mind.says('answer', 'We would like to move your appointment.', 2_000);
    talking.callee.say(speech(1_000));
    expect(talking.callee.agentSpeaks()).toBe(true);

    const closing = await greetedCall({ max_turns: 1 });
    closing.mind.says('answer', 'We will see you then.', 500);
    closing.callee.hearOut();
    closing.mind.says('bye', 'Goodbye.', 1_000);
    closing.callee.say(speech(200));
    expect(closing.callee.agentSpeaks()).toBe(true);
  });
});

describe('the end', () => {
  test('comes 300 ms after the last words that the model said with end_call', async () => {
    const { callee, mind } = await greetedCall();
    mind.says('bye', 'See you on Tuesday.', 1_000);
    mind.emit({ kind: 'act', id: 'one', act: { kind: 'end_call', reason: 'done' } });
    callee.hearOut(20);
    expect(callee.hungUp()).toBeUndefined();
    const endMs = callee.nowMs();
    callee.waitUntil(() => callee.hungUp() !== undefined, 400);
    expect(callee.hungUp()).toBe('agent_hangup');
    expect(callee.nowMs() - endMs).toBeGreaterThanOrEqual(260);
    expect(mind.of('say')).toHaveLength(1);
  });

  test('is said with the closing when the model says nothing', async () => {
    const call = await greetedCall();
    const { callee, mind } = call;
    calleeSays(call, 'Bye.');
    mind.emit({ kind: 'act', id: 'one', act: { kind: 'end_call', reason: null } });
    mind.emit({ kind: 'answer_over', empty: false });
    callee.say(silence(20));
    expect(mind.of('say').at(-1)?.text).toBe('Goodbye.');
    mind.says('closing', 'Goodbye.', 400);
    callee.waitUntil(() => callee.hungUp() !== undefined, 1_000);
    expect(callee.hungUp()).toBe('agent_hangup');
  });

  test('is delayed once by a callee who speaks', async () => {
    const { callee, mind } = await greetedCall();
    for (const item of ['one', 'two']) {
      mind.says(item, 'Goodbye then, and thank you.', 2_000);
      mind.emit({ kind: 'act', id: item, act: { kind: 'end_call', reason: null } });
      callee.say(silence(400));
      callee.say(speech(700));
      if (item === 'one') expect(mind.of('cut')).toHaveLength(1);
      callee.say(silence(800));
      expect(callee.hungUp()).toBeUndefined();
    }
    callee.waitUntil(() => callee.hungUp() !== undefined, 2_000);
    expect(mind.of('cut')).toHaveLength(1);
  });

  test('follows a phrase that ends calls', async () => {
    const { callee, mind } = await greetedCall({ end_call: { phrases: ['have a nice day'] } });
    mind.says('bye', 'Thank you, have a nice day!', 600);
    callee.waitUntil(() => callee.hungUp() !== undefined, 1_200);
    expect(callee.hungUp()).toBe('agent_hangup');
  });

  test('comes with the silence of a callee who was asked as often as the settings say', async () => {
    const { callee, mind } = await greetedCall({ no_input: { prompt: 'Are you there?', after_ms: 1_000, times: 1 } });
    callee.waitUntil(() => mind.of('say').length === 2, 2_000);
    expect(mind.of('say').at(-1)?.text).toBe('Are you there?');
    mind.says('prompt', 'Are you there?', 400);
    callee.waitUntil(() => callee.hungUp() !== undefined, 2_000);
    expect(callee.hungUp()).toBe('silence_timeout');
  });
});

describe('a slow mind', () => {
  test('is filled once a turn, until its answer begins', async () => {
    const call = await greetedCall();
    const { agent, callee, mind } = call;
    calleeSays(call, 'What about Tuesday?');
    expect(callee.agentSpeaks()).toBe(false);
    callee.hearOut();
    callee.say(silence(1_000));
    expect(callee.agentSpeaks()).toBe(false);
    mind.says('answer', 'Tuesday is fine.', 600);
    callee.hearOut();
    const { transcript } = await agent.finish();
    expect(textsOf(transcript).slice(-3)).toEqual([
      ['callee', 'What about Tuesday?'],
      ['agent', 'One moment.'],
      ['agent', 'Tuesday is fine.'],
    ]);
  });

  test('that falls silent in the middle of an answer ends the call, though the callee says nothing', async () => {
    const call = await greetedCall();
    calleeSays(call, 'Yes?');
    call.mind.begins('broken', 'I am calling about', 1_000);
    call.callee.say(silence(14_000));
    expect(call.callee.hungUp()).toBeUndefined();
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 10_000);
    expect(call.callee.hungUp()).toBe('provider_unavailable');
  });

  test('that waits for a tool in the middle of an answer may be silent for longer', async () => {
    const call = await greetedCall();
    calleeSays(call, 'Yes?');
    call.mind.begins('item', 'Let me see.', 1_000);
    call.mind.emit({ kind: 'tool_started' });
    call.callee.say(silence(25_000));
    const called = { name: 'slots', arguments: {}, result: 'nine', outcome: 'ok', durationMs: 25_000 } as const;
    call.mind.emit({ kind: 'tool_called', ...called, answers: true });
    call.callee.say(silence(1_000));
    call.mind.says('item', 'At nine.', 800);
    call.callee.hearOut();
    expect(call.callee.hungUp()).toBeUndefined();
  });

  test('learns after 3 s that its answer is late, once a wait, and not while a tool runs', async () => {
    const call = await greetedCall({ waiting: { after_ms: 10_000 } });
    const { callee, mind } = call;
    calleeSays(call, 'Yes?');
    // The words were over 720 ms before.
    callee.say(silence(2_200));
    expect(mind.of('late')).toEqual([]);
    callee.say(silence(100));
    expect(mind.of('late')).toHaveLength(1);
    callee.say(silence(2_000));
    mind.emit({ kind: 'tool_started' });
    callee.say(silence(4_000));
    expect(mind.of('late')).toHaveLength(1);
    const called = { name: 'slots', arguments: {}, result: '9:00', outcome: 'ok', durationMs: 4_000 } as const;
    mind.emit({ kind: 'tool_called', ...called, answers: true });
    callee.say(silence(3_100));
    expect(mind.of('late')).toHaveLength(2);
    expect(callee.hungUp()).toBeUndefined();
  });

  test('whose words come without a sound is late after 4 s, and has failed after 8 s', async () => {
    const call = await greetedCall({ waiting: { after_ms: 10_000 } });
    const { agent, callee, mind } = call;
    calleeSays(call, 'Yes?');
    mind.emit({ kind: 'words', item: 'answer', text: 'We would like' });
    callee.say(silence(3_200));
    expect(mind.of('late')).toEqual([]);
    callee.say(silence(100));
    expect(mind.of('late')).toHaveLength(1);
    callee.waitUntil(() => callee.hungUp() !== undefined, 5_500);
    expect(callee.hungUp()).toBe('provider_unavailable');
    expect(textsOf((await agent.finish()).transcript).slice(-1)).toEqual([
      ['agent', expect.stringMatching(/technical/)],
    ]);
  });

  test('learns that a message which is said to its end is late', async () => {
    const call = await greetedCall();
    const { callee, mind } = call;
    calleeSays(call, 'Thank you.');
    mind.emit({ kind: 'act', id: 'one', act: { kind: 'end_call', reason: null } });
    mind.emit({ kind: 'answer_over', empty: false });
    callee.say(silence(20));
    expect(mind.of('say').at(-1)?.text).toBe('Goodbye.');
    callee.say(silence(3_100));
    expect(mind.of('late')).toHaveLength(1);
  });

  test('that never answers ends the call with the failure message', async () => {
    const call = await greetedCall();
    calleeSays(call, 'Hello?');
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 12_000);
    expect(call.callee.hungUp()).toBe('provider_unavailable');
    expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
  });
});

test('a cascade that leaves words unanswered ends the call, and one that leaves a cough goes on', async () => {
  for (const [text, reason] of [
    ['Hello?', 'provider_unavailable'],
    [null, undefined],
  ] as const) {
    const { callee, mind } = await greetedCall({ ...CASCADE, no_input: { after_ms: 20_000 } });
    const startMs = callee.nowMs();
    mind.emit({ kind: 'callee_speaking', atMs: startMs });
    callee.say(speech(600));
    mind.emit({ kind: 'callee_said', text, startMs, endMs: startMs + 600 });
    callee.say(silence(12_000));
    expect(callee.hungUp()).toBe(reason);
  }
});

describe('a mind that fails', () => {
  const FAILED = { kind: 'failed', component: 'realtime', failure: 'rejected', reason: 'provider_rejected' } as const;

  test('before the answer ends the call at once', async () => {
    const { callee, mind } = await conductedCall();
    mind.emit(FAILED);
    expect(callee.events).toEqual([
      { kind: 'provider_failed', component: 'realtime', failure: 'rejected' },
      { kind: 'hang_up', reason: 'provider_rejected' },
    ]);
  });

  test('during the call is heard out, then the failure message, then the end', async () => {
    const { agent, callee, mind } = await greetedCall();
    mind.begins('answer', 'We would like to', 1_000);
    callee.say(silence(200));
    mind.emit({ ...FAILED, failure: 'dropped', reason: 'provider_unavailable' });
    callee.say(silence(700));
    expect(callee.agentSpeaks()).toBe(true);
    callee.waitUntil(() => callee.hungUp() !== undefined, 3_000);
    expect(callee.hungUp()).toBe('provider_unavailable');
    expect(textsOf((await agent.finish()).transcript).slice(-2)).toEqual([
      ['agent', 'We would like to'],
      ['agent', 'I am sorry, there is a technical problem. Goodbye.'],
    ]);
  });
});

test('keys of the callee reach the mind together, at # or after 1.5 s', async () => {
  const { agent, callee, mind } = await greetedCall();
  agent.hearDigits('1');
  agent.hearDigits('2#');
  callee.say(silence(20));
  agent.hearDigits('7');
  callee.say(silence(1_400));
  expect(mind.of('digits')).toEqual([{ kind: 'digits', digits: '12#' }]);
  callee.say(silence(200));
  expect(mind.of('digits').at(-1)).toEqual({ kind: 'digits', digits: '7' });
});

test('a callee who waits for the rest of an answer whose connection was lost is not asked whether they are there', async () => {
  const { callee, mind } = await greetedCall({ no_input: { after_ms: 1_000, times: 1 } });
  mind.begins('lost', 'There is', 400);
  callee.say(silence(200));
  mind.emit({ kind: 'item_over', item: 'lost', isLost: true });
  callee.say(silence(4_000));
  expect(mind.of('respond')).toEqual([]);
  mind.says('rest', 'a slot at nine.', 400);
  callee.waitUntil(() => mind.of('respond').length === 1, 2_500);
});

test('a call on hold is silent, and its waiting times start again', async () => {
  const { agent, callee, mind } = await greetedCall({ no_input: { after_ms: 2_000 } });
  agent.setOnHold(true);
  callee.say(silence(10_000));
  expect(mind.of('respond')).toEqual([]);
  agent.setOnHold(false);
  callee.say(silence(1_500));
  expect(mind.of('respond')).toEqual([]);
  callee.say(silence(700));
  expect(mind.of('respond')).toHaveLength(1);
});

test('words that come late replace a turn without words, also after the end of the call', async () => {
  const call = await greetedCall();
  const { agent, callee, mind } = call;
  const startMs = callee.nowMs();
  callee.say(speech(600));
  callee.say(silence(6_000));
  mind.emit({ kind: 'callee_said', text: 'Yes, gladly.', startMs, endMs: startMs + 600 });
  const { transcript } = await agent.finish();
  expect(transcript.filter(({ start_ms: at }) => at >= startMs - 100 && at < startMs + 700)).toMatchObject([
    { role: 'callee', text: 'Yes, gladly.', source: 'stt' },
  ]);
});

describe('an instruction during the call', () => {
  test('reaches the mind and becomes a turn of the supervisor, and nothing is said because of it', async () => {
    const { agent, callee, mind } = await greetedCall();
    const asked = mind.asked.length;
    expect(agent.instruct('Offer Friday.')).toBe(true);
    expect(mind.asked.slice(asked)).toEqual([{ kind: 'instruct', text: 'Offer Friday.' }]);
    callee.say(silence(500));
    expect(mind.asked).toHaveLength(asked + 1);
    const atMs = callee.nowMs() - 500;
    const { transcript, summary } = await agent.finish();
    expect(transcript.at(-1)).toEqual({
      role: 'supervisor',
      text: 'Offer Friday.',
      start_ms: atMs,
      end_ms: atMs,
      source: 'instruction',
      interrupted: false,
    });
    expect(summary).toContain('The agent spoke 1 turn;');
  });

  test('is not taken once the model has no answer left to give', async () => {
    const call = await greetedCall();
    call.mind.emit({ kind: 'act', id: 'end', act: { kind: 'end_call', reason: null } });
    call.mind.says('bye', 'Goodbye.', 400);
    call.callee.waitUntil(() => call.callee.agentSpeaks(), 1_000);
    expect(call.agent.instruct('too late')).toBe(false);
    expect(call.mind.of('instruct')).toEqual([]);
    await call.agent.finish();
    expect(call.agent.instruct('too late')).toBe(false);
  });
});
