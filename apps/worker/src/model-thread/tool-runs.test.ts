import type { FromMind } from '@outdial/agents';
import { accountIdSchema, callIdSchema, realtimeSettingsSchema } from '@outdial/contracts';
import { ManualClock } from '@outdial/testkit/async';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { callTools } from './call-tools.ts';
import { CallToolRuns } from './tool-runs.ts';

const settings = realtimeSettingsSchema.parse({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
  tools: [
    {
      type: 'transfer_call',
      name: 'transfer',
      description: 'Transfers.',
      destinations: [{ name: 'Sales', to_number: '+12025550142', description: 'Buys.' }],
    },
  ],
});

function startRuns() {
  const posted: FromMind[] = [];
  const acts: unknown[] = [];
  const delivered: { readonly output: string; readonly answer: boolean }[] = [];
  const runs = new CallToolRuns({
    call: {
      callId: callIdSchema.parse(randomUUID()),
      accountId: accountIdSchema.parse(randomUUID()),
      secrets: new Map(),
    },
    tools: callTools(settings),
    runner: { run: () => Promise.reject(new Error('no tool runs')) },
    clock: new ManualClock(),
    post: (message) => posted.push(message),
    deliver: (result) => delivered.push(result),
    act: (_id, act) => acts.push(act),
    sayMeanwhile: () => undefined,
  });
  const call = (name: string, argumentsText: string) =>
    runs.called({ kind: 'tool_call', id: 'one', name, argumentsText });
  return { runs, call, posted, acts, delivered };
}

test('an opt-out is reported before the answer is complete, and confirmed after it, also if the callee cut it', () => {
  const { runs, call, posted, acts } = startRuns();
  call('opt_out', '{"reason": "wrong number"}');
  expect(posted).toEqual([{ kind: 'opted_out', note: 'wrong number' }]);
  expect(acts).toEqual([]);
  runs.answered({ wasCut: true });
  expect(acts).toEqual([{ kind: 'opt_out', reason: 'wrong number' }]);
  expect(posted.at(-1)).toMatchObject({ kind: 'tool_called', name: 'opt_out', outcome: 'ok', answers: false });
});

test.each([
  ['no JSON', 'not today', null],
  ['wrong', '{"reason": 7}', null],
  ['too long', JSON.stringify({ reason: 'no '.repeat(10_000) }), 'no '.repeat(167).slice(0, 500)],
])('an opt-out counts although its arguments are %s', (_what, argumentsText, note) => {
  const { runs, call, posted, acts } = startRuns();
  call('opt_out', argumentsText);
  expect(posted).toEqual([{ kind: 'opted_out', note }]);
  runs.answered({ wasCut: false });
  expect(acts).toEqual([{ kind: 'opt_out', reason: note }]);
});

test('a transfer begins after the answer that asks for it, to a destination by its name', () => {
  const { runs, call, posted, acts } = startRuns();
  call('transfer', '{"destination": "Sales"}');
  expect(acts).toEqual([]);
  runs.answered({ wasCut: false });
  expect(acts).toEqual([{ kind: 'transfer', tool: 'transfer', destination: 'Sales' }]);
  expect(posted).toMatchObject([{ kind: 'tool_called', name: 'transfer', arguments: { destination: 'Sales' } }]);
  expect(JSON.stringify(posted)).not.toContain('12025550142');
});

test.each(['{"destination": "+19005550100"}', '{"destination": "sales"}', '{}', '{"destination": "Sales", "to": 1'])(
  'a transfer with the arguments %s is refused',
  async (argumentsText) => {
    const { runs, call, posted, acts, delivered } = startRuns();
    call('transfer', argumentsText);
    runs.answered({ wasCut: false });
    expect(acts).toEqual([]);
    expect(posted).toMatchObject([{ kind: 'tool_called', outcome: 'refused' }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(delivered).toMatchObject([{ answer: true }]);
  },
);

test('a transfer of an answer that the callee cut does not begin', async () => {
  const { runs, call, acts, delivered } = startRuns();
  call('transfer', '{"destination": "Sales"}');
  runs.answered({ wasCut: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(acts).toEqual([]);
  expect(delivered).toMatchObject([{ answer: false }]);
});
