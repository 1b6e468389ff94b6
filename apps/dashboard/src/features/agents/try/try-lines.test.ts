import type { TryEvent } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { NEW_TRY, withEvent } from './try-lines.ts';

const after = (...events: readonly TryEvent[]) => events.reduce(withEvent, NEW_TRY);
const says = (item: string, text: string): TryEvent => ({ type: 'agent_text', item, text });

test('pieces of one answer become one line, and another answer a new one', () => {
  const { lines } = after(says('a', 'Hello '), says('a', 'there.'), { type: 'agent_done' }, says('b', 'Bye.'));
  expect(lines.map((line) => line.kind === 'agent' && line.text)).toEqual(['Hello there.', 'Bye.']);
});

test('tools stand with arguments and result, and acts as what the agent would do', () => {
  const tool = { name: 'slots', arguments: { day: 'Tuesday' }, result: '9:00', outcome: 'ok', duration_ms: 3 } as const;
  const { lines } = after(
    { type: 'callee_text', text: 'Tuesday?' },
    { type: 'tool_called', ...tool },
    { type: 'act', act: { kind: 'end_call', reason: 'done' } },
    { type: 'act', act: { kind: 'opt_out', reason: 'asked to stop' } },
  );
  expect(lines).toMatchObject([
    { kind: 'callee', text: 'Tuesday?' },
    { kind: 'tool', name: 'slots', given: '{"day":"Tuesday"}', result: '9:00', isFailed: false },
    { kind: 'act', text: 'Would end the call: done' },
    { kind: 'act', text: 'Would put the callee on the do-not-call list and end the call: asked to stop' },
  ]);
});

test('the cost follows the usage and is final at the end', () => {
  const used = after({ type: 'usage', cost: 0.01, items: [{ unit: 'output_text_token', quantity: 7 }] });
  expect(used).toMatchObject({ cost: 0.01, endedReason: null });
  expect(withEvent(used, { type: 'ended', reason: 'time_over', cost: 0.02 })).toMatchObject({
    cost: 0.02,
    endedReason: 'time_over',
  });
});

test('the model that answers is named as its provider is called elsewhere', () => {
  const model = { component: 'realtime', provider: 'openai', model: 'gpt-realtime', own_credential: true } as const;
  expect(after({ type: 'started', ...model })).toMatchObject({
    model: 'gpt-realtime of OpenAI',
    isOwnCredential: true,
  });
});
