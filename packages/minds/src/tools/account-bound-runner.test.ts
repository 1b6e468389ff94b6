import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { createAccountBoundRunner } from './account-bound-runner.ts';
import type { ToolOutcome, ToolRun } from './tool-runner.ts';

const MAX = 32;
const TOOL: ToolRun['tool'] = {
  type: 'http',
  name: 'free_slots',
  description: 'Finds free slots.',
  speak: { after: 'model' },
  method: 'GET',
  url: 'https://example.com',
  headers: {},
  parameters: { type: 'object', properties: {} },
  send: 'query',
  timeout_ms: 30_000,
  idempotent: false,
};

/** Tools that hang until the test ends them. */
function setUp() {
  const clock = new ManualClock();
  const hanging: { readonly run: ToolRun; readonly end: (outcome: ToolOutcome) => void }[] = [];
  const runner = createAccountBoundRunner({
    runner: { run: (run) => new Promise((resolve) => hanging.push({ run, end: resolve })) },
    maxOfAccount: MAX,
    clock,
  });
  const run = (accountId: string, { toolCallId = 'one', signal = new AbortController().signal } = {}) =>
    runner.run({ accountId, callId: 'call', toolCallId, tool: TOOL, arguments: {}, secrets: new Map(), signal });
  const runningOf = (accountId: string) => hanging.filter((one) => one.run.accountId === accountId).length;
  return { clock, hanging, run, runningOf };
}

test('200 tools of an account that hang delay no tool of a neighbor, and 32 of them run', async () => {
  const { hanging, run, runningOf } = setUp();
  for (let nth = 0; nth < 200; nth += 1) void run('troubled');
  const neighbors = run('neighbor');
  expect(runningOf('troubled')).toBe(MAX);
  hanging.at(-1)?.end({ kind: 'ok', output: 'free at nine' });
  expect(await neighbors).toEqual({ kind: 'ok', output: 'free at nine' });
});

test('a tool that ends gives its place to the one that has waited longest', async () => {
  const { hanging, run, runningOf } = setUp();
  const first = run('one');
  for (let nth = 1; nth < MAX; nth += 1) void run('one');
  void run('one', { toolCallId: 'waits longest' });
  void run('one', { toolCallId: 'waits' });
  hanging[0]?.end({ kind: 'ok', output: '' });
  await first;
  await expect.poll(() => runningOf('one')).toBe(MAX + 1);
  expect(hanging.at(-1)?.run.toolCallId).toBe('waits longest');
});

test('a tool waits as long as it may run, and not beyond the end of its call', async () => {
  const { clock, run, runningOf } = setUp();
  for (let nth = 0; nth < MAX; nth += 1) void run('one');
  const over = new AbortController();
  const [late, stopped] = [run('one'), run('one', { signal: over.signal })];
  over.abort();
  expect(await stopped).toEqual({ kind: 'failed', output: 'the call is over' });
  clock.turn(TOOL.timeout_ms);
  expect(await late).toMatchObject({ kind: 'failed', output: expect.stringContaining('too many tools') });
  expect(runningOf('one')).toBe(MAX);
});
