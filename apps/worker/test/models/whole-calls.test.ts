import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONVERSATIONS, type Conversation } from './conversations.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';

/** All calls at once, in real time. */
const LIMIT_MS = 300_000;
const conducted = new Map<Conversation, Conducted>();
let network: Awaited<ReturnType<typeof openModelNetwork>>;

beforeAll(async () => {
  network = await openModelNetwork(CONVERSATIONS);
  for (const one of await network.conductAll())
    conducted.set(
      CONVERSATIONS.find((c) => c === one.scenario)!,
      one,
    );
}, LIMIT_MS);
afterAll(() => network.close());

test.each(CONVERSATIONS)('$family: $name', (scenario) => {
  const one = conducted.get(scenario);
  const { call, events } = one!;
  console.log(
    scenario.family,
    scenario.name,
    JSON.stringify(
      {
        reason: call.endedReason,
        by: call.answeredBy,
        turns: call.transcript?.map((t) => [t.role, t.text, t.source, t.start_ms, t.end_ms, t.interrupted]),
        events: events.map((e) => [e.type, e.data]),
        summary: call.summary,
      },
      null,
      1,
    ),
  );
  expect(call).toMatchObject({ endedReason: scenario.expected.reason, answeredBy: scenario.expected.answeredBy });
});
describe('x', () => {
  test('y', () => undefined);
});
