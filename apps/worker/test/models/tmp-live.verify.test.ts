import { afterAll, beforeAll, test } from 'vitest';
import { CONVERSATIONS } from './conversations.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import type { WholeCall } from './scenario.ts';
const CALLS = CONVERSATIONS.filter(({ provider }) => provider === 'openai_live');
let network: Awaited<ReturnType<typeof openModelNetwork<WholeCall>>>;
let conducted: readonly Conducted<WholeCall>[] = [];
beforeAll(async () => { network = await openModelNetwork(CALLS); conducted = await network.conductAll(); }, 900_000);
afterAll(() => network.close());
test('openai_live prints', () => {
  for (const { scenario, call } of conducted) {
    console.log(scenario.name, call.endedReason, JSON.stringify(scenario.expected));
    for (const t of call.transcript ?? []) console.log('   ', t.role, t.source, t.start_ms, t.end_ms, t.interrupted, t.text);
  }
});
