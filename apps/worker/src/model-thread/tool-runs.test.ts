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
});

function startRuns() {
  const posted: FromMind[] = [];
  const acts: unknown[] = [];
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
    deliver: () => undefined,
    act: (_id, act) => acts.push(act),
    sayMeanwhile: () => undefined,
  });
  const call = (name: string, argumentsText: string) => runs.called({ kind: 'tool_call', id: 'one', name, argumentsText });
  return { runs, call, posted, acts };
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
