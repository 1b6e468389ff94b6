import { randomUUID } from 'node:crypto';
import type { FromMind } from '@outdial/agents';
import { accountIdSchema, agentSettingsSchema, callIdSchema } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import type { MindEvent, ToolRun } from '@outdial/minds';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { ConductedMind } from './conducted-mind.ts';

const TOOL = { type: 'http', name: 'free_slots', description: 'Finds free slots.', url: 'https://example.com/' };

const nothing = () => undefined;

/** A mind that reports what a test wants, and what becomes of it. */
function conduct() {
  const settings = agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [TOOL],
  });
  if (settings.driver === 'scripted') throw new Error('not conducted');
  const posted: FromMind[] = [];
  const runs: ToolRun[] = [];
  let [emit, isOpen]: [(event: MindEvent) => void, boolean] = [() => undefined, true];
  const conducted = new ConductedMind({
    call: {
      callId: callIdSchema.parse(randomUUID()),
      accountId: accountIdSchema.parse(randomUUID()),
      settings,
      variables: {},
      models: [],
      secrets: new Map(),
    },
    openMind({ listener }) {
      emit = (event) => isOpen && listener(event);
      const asked = {
        say: nothing,
        respond: nothing,
        instruct: nothing,
        cut: nothing,
        pressed: nothing,
        toolResult: nothing,
        callOver: () => Promise.resolve(),
      };
      return { ...asked, hear: nothing, openGate: nothing, close: () => void (isOpen = false) };
    },
    uses: { used: nothing, nearLimit: nothing, takeLine: async () => false },
    tools: {
      async run(run) {
        runs.push(run);
        return { kind: 'ok', output: 'HTTP 200\n' };
      },
    },
    clock: fakeClock(),
    logger: createLogger({ name: 'test', level: 'silent' }),
    post: (message) => void posted.push(message),
  });
  return { conducted, posted, runs, emit: (event: MindEvent) => emit(event), isOpen: () => isOpen };
}

const FAILED = { kind: 'failed', component: 'realtime', failure: 'invalid_response' };
const said = (text: string): MindEvent => ({ kind: 'callee_said', turn: 'turn', text, startMs: 0, endMs: 1 });
const called = (name: string, argumentsText: string): MindEvent => ({
  kind: 'tool_call',
  id: 'id',
  name,
  argumentsText,
});

test.each<[string, MindEvent, number]>([
  ['words', { kind: 'words', item: 'item', text: 'x'.repeat(10_000) }, 50],
  ['turns of the callee', said('x'), 2_000],
  ['words of the callee', said('x'.repeat(50_000)), 10],
  ['tool calls', called('unknown', '{}'), 500],
])('a provider that sends %s without end fails the call, and what is kept of it is bounded', (_what, event, most) => {
  const { posted, emit, isOpen } = conduct();
  for (let sent = 0; sent < most; sent += 1) emit(event);
  expect(posted).toHaveLength(most);
  expect(isOpen()).toBe(true);
  for (let sent = 0; sent < 1_000; sent += 1) emit(event);
  expect(posted).toHaveLength(most + 1);
  expect(posted.at(-1)).toMatchObject(FAILED);
  expect(isOpen()).toBe(false);
});

test('words of a voice that reports their times reach the agent with them', () => {
  const { posted, emit } = conduct();
  const words = { kind: 'words', item: 'item', text: 'Good ', place: { startMs: 0, endMs: 200 } } as const;
  emit(words);
  expect(posted).toEqual([words]);
});

test('a provider that begins answers without end fails the call', () => {
  const { posted, emit, isOpen } = conduct();
  for (let nth = 0; nth < 6_000; nth += 1) emit({ kind: 'sound', item: `item ${nth}`, ulaw: new Uint8Array(1) });
  expect(posted).toHaveLength(5_001);
  expect(posted.at(-1)).toMatchObject(FAILED);
  expect(isOpen()).toBe(false);
});

test('a tool call with a huge name or huge arguments is refused, and nothing of them is kept', () => {
  const { posted, runs, emit } = conduct();
  emit(called('x'.repeat(100_000), '{}'));
  emit(called('free_slots', JSON.stringify({ day: 'x'.repeat(20_000) })));
  expect(runs).toEqual([]);
  expect(posted).toMatchObject([
    { kind: 'tool_called', name: 'x'.repeat(64), arguments: {}, outcome: 'refused' },
    { kind: 'tool_called', name: 'free_slots', arguments: {}, outcome: 'refused' },
  ]);
  expect(JSON.stringify(posted).length).toBeLessThan(1_000);
});
