import { describe, expect, test } from 'vitest';
import { CASCADE, calleeSays, conductedCall, greetedCall, speech, type ConductedCall } from '../testing/conducted-calls.ts';
import { silence } from '../testing/sounds.ts';

const CONFIRMATION = 'You will not be called again. Goodbye.';
const BY_KEY = { opt_out: { key: '9' } };
const FAILED = { kind: 'failed', component: null, failure: 'dropped', reason: 'provider_unavailable' } as const;

const optOuts = ({ callee }: ConductedCall) => callee.events.filter(({ kind }) => kind === 'opt_out');
const optOutTool = { kind: 'act', id: 'one', act: { kind: 'opt_out', reason: 'wrong number' } } as const;

/** The confirmation is asked for, said, and followed by the hang-up. */
function confirm({ callee, mind }: ConductedCall): void {
  expect(mind.of('say').at(-1)?.text).toBe(CONFIRMATION);
  mind.says('confirmation', CONFIRMATION, 800);
  callee.waitUntil(() => callee.hungUp() !== undefined, 1_500);
  expect(callee.hungUp()).toBe('opted_out');
}

describe('a callee who presses the key of the opt-out', () => {
  test.each([
    [
      'before it is known who answered',
      async (): Promise<ConductedCall> => {
        const call = await conductedCall(BY_KEY);
        call.mind.says('first', 'Good morning Anna, this is the dental practice.', 1_000);
        return call;
      },
    ],
    ['after the first message', () => greetedCall(BY_KEY)],
    ['of a cascade', () => greetedCall({ ...CASCADE, ...BY_KEY })],
    [
      'while the agent speaks',
      async () => {
        const call = await greetedCall(BY_KEY);
        call.mind.says('answer', 'We would like to move your appointment.', 4_000);
        call.callee.say(silence(1_000));
        return call;
      },
    ],
    [
      'while the closing is spoken',
      async () => {
        const call = await greetedCall({ ...BY_KEY, max_turns: 1 });
        call.mind.says('answer', 'We will see you then.', 500);
        call.callee.hearOut();
        call.mind.says('bye', 'Goodbye.', 1_000);
        call.callee.say(silence(200));
        return call;
      },
    ],
  ])('opts out once and at once, hears the confirmation, and the call ends: %s', async (_when, reach) => {
    const call = await reach();
    call.agent.hearDigits('9');
    expect(optOuts(call)).toEqual([{ kind: 'opt_out', evidence: 'key', note: null }]);
    call.agent.hearDigits('9');
    confirm(call);
    expect(optOuts(call)).toHaveLength(1);
    expect((await call.agent.finish()).transcript.at(-1)).toMatchObject({ text: CONFIRMATION, interrupted: false });
    expect(call.mind.of('digits')).toEqual([]);
  });

  test('is not interrupted in the confirmation, nor by it kept in the call', async () => {
    const call = await greetedCall(BY_KEY);
    call.agent.hearDigits('9');
    call.mind.begins('confirmation', CONFIRMATION, 1_500);
    call.callee.say(speech(800));
    expect(call.callee.agentSpeaks()).toBe(true);
    call.mind.emit({ kind: 'item_over', item: 'confirmation' });
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 2_000);
    expect(call.callee.hungUp()).toBe('opted_out');
  });

  test('has opted out also when it hangs up before the confirmation', async () => {
    const call = await greetedCall(BY_KEY);
    call.agent.hearDigits('9');
    await call.agent.finish();
    expect(optOuts(call)).toHaveLength(1);
  });

  test('opts out of an agent with such a key only', async () => {
    const call = await greetedCall();
    call.agent.hearDigits('0123456789*#');
    expect(optOuts(call)).toEqual([]);
  });
});

describe('a callee who says so', () => {
  test('has opted out before the answer of the model is complete, and then hears the confirmation', async () => {
    const call = await greetedCall();
    calleeSays(call, 'This is the wrong number.');
    call.mind.begins('answer', 'I am sorry.', 2_000);
    call.mind.emit({ kind: 'opted_out', note: 'wrong number' });
    expect(optOuts(call)).toEqual([{ kind: 'opt_out', evidence: 'tool', note: 'wrong number' }]);
    call.callee.say(silence(200));
    expect(call.mind.of('say').at(-1)?.text).not.toBe(CONFIRMATION);
    call.mind.emit({ kind: 'answer_over', empty: false });
    call.mind.emit(optOutTool);
    expect(call.mind.of('act_done')).toMatchObject([{ id: 'one', answer: false }]);
    confirm(call);
    expect(optOuts(call)).toHaveLength(1);
  });

  test('ends the call although a closing is already spoken', async () => {
    const call = await greetedCall({ max_turns: 1 });
    call.mind.says('answer', 'We will see you then.', 500);
    call.callee.hearOut();
    call.mind.says('bye', 'Goodbye.', 1_000);
    call.mind.emit(optOutTool);
    confirm(call);
  });
});

describe('without a confirmation, a callee who has opted out', () => {
  test('is hung up on when it never comes', async () => {
    const call = await greetedCall(BY_KEY);
    call.agent.hearDigits('9');
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 9_000);
    expect(call.callee.hungUp()).toBe('opted_out');
  });

  test('is hung up on at once when the mind fails, without the failure message', async () => {
    const call = await greetedCall(BY_KEY);
    call.agent.hearDigits('9');
    call.mind.emit(FAILED);
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 500);
    expect(call.callee.hungUp()).toBe('opted_out');
    const { transcript } = await call.agent.finish();
    expect(transcript.some(({ text }) => text?.includes('technical problem'))).toBe(false);
  });

  test('is hung up on when the mind failed before', async () => {
    const call = await greetedCall(BY_KEY);
    call.mind.emit(FAILED);
    call.callee.say(silence(40));
    call.agent.hearDigits('9');
    expect(optOuts(call)).toHaveLength(1);
    call.callee.waitUntil(() => call.callee.hungUp() !== undefined, 2_000);
    expect(call.callee.hungUp()).toBe('opted_out');
  });
});
