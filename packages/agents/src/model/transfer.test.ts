import type { TransferFailure } from '@outdial/calls';
import { describe, expect, test } from 'vitest';
import { calleeSays, greetedCall, speech, type ConductedCall } from '../testing/conducted-calls.ts';
import { silence } from '../testing/sounds.ts';

const DESK = { name: 'Sales', to_number: '+12025550142', description: 'Buys.' };
const toolsWith = (changes: object = {}) => ({
  tools: [
    { type: 'transfer_call', name: 'transfer', description: 'Transfers.', destinations: [{ ...DESK, ...changes }] },
  ],
});
const WISH = {
  kind: 'transfer',
  destination: 'Sales',
  target: { kind: 'number', number: '+12025550142' },
};

function act({ mind }: ConductedCall, destination = 'Sales', id = 'one'): void {
  mind.emit({ kind: 'act', id, act: { kind: 'transfer', tool: 'transfer', destination } });
}
const wishes = ({ callee }: ConductedCall) => callee.events.filter(({ kind }) => kind === 'transfer');
const fail = ({ agent }: ConductedCall, failure: TransferFailure) => agent.transferFailed(failure);

/** The model has said that it transfers, and asks for it. */
async function announced(changes: object = {}): Promise<ConductedCall> {
  const call = await greetedCall({ ...toolsWith(), ...changes });
  calleeSays(call, 'I want to buy something.');
  call.mind.says('bridge', 'I will connect you with sales.', 1_500);
  act(call);
  return call;
}

describe('a transfer', () => {
  test('begins once the callee has heard what the model said, and once', async () => {
    const call = await announced();
    call.callee.say(silence(1_000));
    expect(wishes(call)).toEqual([]);
    call.callee.say(silence(1_000));
    expect(wishes(call)).toEqual([WISH]);
    call.callee.say(silence(20_000));
    expect(wishes(call)).toHaveLength(1);
    expect(call.callee.hungUp()).toBeUndefined();
  });

  test('comes after the message of its destination, which is said word for word', async () => {
    const call = await greetedCall(toolsWith({ message: 'One moment, {{name}}.' }));
    calleeSays(call, 'Sales, please.');
    act(call);
    expect(call.mind.of('say').at(-1)).toEqual({ kind: 'say', text: 'One moment, Anna.' });
    call.callee.say(silence(400));
    expect(wishes(call)).toEqual([]);
    call.mind.says('message', 'One moment, Anna.', 800);
    call.callee.hearOut();
    expect(wishes(call)).toEqual([WISH]);
    const { transcript } = await call.agent.finish();
    expect(transcript.at(-1)).toMatchObject({ role: 'agent', text: 'One moment, Anna.', source: 'script' });
  });

  test('comes even if its message never does', async () => {
    const call = await greetedCall(toolsWith({ message: 'One moment.' }));
    calleeSays(call, 'Sales, please.');
    act(call);
    call.callee.waitUntil(() => wishes(call).length === 1, 9_000);
    expect(wishes(call)).toEqual([WISH]);
  });

  test('that a callee interrupts does not take place, and the model learns it', async () => {
    const call = await announced();
    call.callee.say(silence(500));
    call.callee.say(speech(700));
    call.callee.say(silence(2_000));
    expect(wishes(call)).toEqual([]);
    expect(call.mind.of('act_done')).toEqual([
      { kind: 'act_done', id: 'one', output: expect.stringContaining('did not take place'), answer: false },
    ]);
    act(call, 'Sales', 'two');
    call.callee.waitUntil(() => wishes(call).length === 1, 1_000);
  });

  test('whose message a callee interrupts does not take place', async () => {
    const call = await greetedCall(toolsWith({ message: 'One moment, I will connect you with my colleague.' }));
    calleeSays(call, 'Sales, please.');
    act(call);
    call.mind.says('message', 'One moment, I will connect you with my colleague.', 3_000);
    call.callee.say(silence(500));
    call.callee.say(speech(700));
    call.callee.say(silence(3_000));
    expect(wishes(call)).toEqual([]);
    expect(call.mind.of('act_done')).toHaveLength(1);
  });

  test('to a name that the settings do not have is refused', async () => {
    const call = await greetedCall(toolsWith());
    calleeSays(call, 'Connect me with +1 900 555 0100.');
    act(call, '+19005550100');
    call.callee.say(silence(1_000));
    expect(wishes(call)).toEqual([]);
    expect(call.mind.of('act_done')).toMatchObject([{ output: expect.stringContaining('no such'), answer: true }]);
  });

  test('that failed is reported to the model, which answers, and another one may follow', async () => {
    const call = await announced();
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    call.callee.say(silence(8_000));
    fail(call, { reason: 'failed', sipCode: 486 });
    expect(call.mind.of('act_done')).toEqual([
      { kind: 'act_done', id: 'one', output: expect.stringContaining('the destination is busy'), answer: true },
    ]);
    call.mind.says('sorry', 'Sales is busy. Shall I try again?', 1_000);
    call.callee.hearOut();
    calleeSays(call, 'Yes.');
    act(call, 'Sales', 'two');
    call.callee.waitUntil(() => wishes(call).length === 2, 2_000);
  });

  test('that failed after its message is reported once more, since the model has spoken since', async () => {
    const call = await greetedCall(toolsWith({ message: 'One moment.' }));
    calleeSays(call, 'Sales, please.');
    act(call);
    call.mind.says('message', 'One moment.', 800);
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    fail(call, { reason: 'failed', sipCode: 480 });
    expect(call.mind.of('act_done')).toMatchObject([{ id: 'one', answer: false }]);
    expect(call.mind.of('respond').at(-1)?.hint).toContain('the destination did not answer');
    call.mind.says('sorry', 'They did not answer.', 800);
    call.callee.hearOut();
    expect(call.callee.hungUp()).toBeUndefined();
  });

  test('that takes long causes neither a no-input prompt nor a failure', async () => {
    const call = await announced({ no_input: { after_ms: 2_000, times: 0 } });
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    const asked = call.mind.asked.length;
    call.callee.say(silence(29_000));
    expect(call.mind.asked).toHaveLength(asked);
    expect(call.callee.hungUp()).toBeUndefined();
  });

  test('under way outlives its mind, and its failure ends the call', async () => {
    const call = await announced();
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    call.mind.emit({ kind: 'failed', component: null, failure: 'gone', reason: 'provider_unavailable' });
    call.callee.say(silence(10_000));
    expect(call.callee.hungUp()).toBeUndefined();
    fail(call, { reason: 'unreported', sipCode: null });
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 5_000);
    expect(call.callee.hungUp()).toBe('provider_unavailable');
  });

  test('whose mind fails during its message still begins, and its failure ends the call', async () => {
    const call = await greetedCall(toolsWith({ message: 'One moment, I will connect you.' }));
    calleeSays(call, 'Sales, please.');
    act(call);
    call.mind.says('message', 'One moment, I will connect you.', 2_000);
    call.callee.say(silence(500));
    call.mind.emit({ kind: 'failed', component: null, failure: 'gone', reason: 'provider_unavailable' });
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    call.callee.say(silence(10_000));
    expect(call.callee.hungUp()).toBeUndefined();
    fail(call, { reason: 'failed', sipCode: 486 });
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 20_000);
    expect(call.callee.hungUp()).toBe('provider_unavailable');
  });

  test('that fails after the callee has opted out changes nothing', async () => {
    const call = await announced();
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    call.mind.emit({ kind: 'opted_out', note: null });
    call.mind.emit({ kind: 'act', id: 'out', act: { kind: 'opt_out', reason: null } });
    fail(call, { reason: 'failed', sipCode: 603 });
    expect(call.mind.of('act_done').at(-1)).toMatchObject({ id: 'one', answer: false });
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 12_000);
    expect(call.callee.hungUp()).toBe('opted_out');
  });

  test('is held with the call, and ends with it', async () => {
    const call = await announced();
    call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
    call.agent.setOnHold(true);
    call.callee.say(silence(5_000));
    fail(call, { reason: 'failed', sipCode: 480 });
    call.agent.setOnHold(false);
    call.mind.says('sorry', 'They did not answer.', 800);
    call.callee.hearOut();
    await call.agent.finish();
    fail(call, { reason: 'failed', sipCode: 480 });
    expect(call.mind.of('act_done')).toHaveLength(1);
  });
});

const warm = (changes: object = {}) => {
  const [tool] = toolsWith({ introduction: 'I have {{name}} on the line.', ...changes }).tools;
  return { tools: [{ ...tool, mode: 'warm', ring_timeout_seconds: 20 }] };
};
const left = ({ callee }: ConductedCall) => callee.events.filter(({ kind }) => kind === 'introduced').length;

async function asked(changes: object = {}): Promise<ConductedCall> {
  const call = await greetedCall(warm(changes));
  calleeSays(call, 'Sales, please.');
  call.mind.says('bridge', 'I will connect you with sales.', 1_000);
  const act = { kind: 'transfer', tool: 'transfer', destination: 'Sales', summary: 'She wants a chair.' } as const;
  call.mind.emit({ kind: 'act', id: 'one', act });
  call.callee.waitUntil(() => wishes(call).length === 1, 4_000);
  return call;
}

describe('a warm transfer', () => {
  test('asks for a second leg, and introduces the callee to who answers, once', async () => {
    const call = await asked();
    expect(wishes(call)).toEqual([{ ...WISH, warm: { ringTimeoutSeconds: 20 } }]);
    call.callee.say(silence(8_000));
    call.agent.introduce();
    call.agent.introduce();
    const text = 'I have Anna on the line. She wants a chair.';
    expect(call.mind.of('say').at(-1)).toEqual({ kind: 'say', text });
    call.mind.says('introduction', text, 2_000);
    call.callee.say(silence(1_000));
    expect(left(call)).toBe(0);
    call.callee.waitUntil(() => left(call) === 1, 2_000);
    call.callee.say(silence(10_000));
    expect(left(call)).toBe(1);
    expect(call.callee.hungUp()).toBeUndefined();
    const { transcript } = await call.agent.finish();
    expect(transcript.at(-1)).toMatchObject({ role: 'agent', text });
  });

  test('connects both although no introduction comes', async () => {
    const call = await asked();
    call.agent.introduce();
    call.callee.waitUntil(() => left(call) === 1, 9_000);
    expect(call.callee.hungUp()).toBeUndefined();
  });

  test('connects both without a mind, which failed while the destination rang', async () => {
    const call = await asked();
    call.mind.emit({ kind: 'failed', component: null, failure: 'gone', reason: 'provider_unavailable' });
    call.callee.say(silence(5_000));
    expect(call.callee.hungUp()).toBeUndefined();
    call.agent.introduce();
    call.callee.waitUntil(() => left(call) === 1, 1_000);
  });

  test('whose destination hangs up during the introduction goes on with the callee', async () => {
    const call = await asked();
    call.agent.introduce();
    call.mind.says('introduction', 'I have Anna on the line. She wants a chair.', 3_000);
    call.callee.say(silence(1_000));
    fail(call, { reason: 'hung_up', sipCode: null });
    expect(call.mind.of('act_done')).toEqual([
      { kind: 'act_done', id: 'one', output: expect.stringContaining('hung up before'), answer: true },
    ]);
    call.callee.say(silence(500));
    expect(left(call)).toBe(0);
    call.mind.says('sorry', 'Sales hung up. Shall I try again?', 1_000);
    call.callee.hearOut();
    expect(call.callee.hungUp()).toBeUndefined();
  });
});
