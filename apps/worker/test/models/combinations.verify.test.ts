import { itemize, priceUsage, type EndedCall } from '@outdial/calls';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEARD, openCombinationsStage, SAID, type Combination } from './combinations-stage.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

const COMBINATIONS: readonly Combination[] = [
  {
    stt: 'nova-3',
    llm: { provider: 'anthropic', model: 'claude-haiku-4-5' },
    tts: { provider: 'cartesia', model: 'sonic-3', voice: '6ccbfb76-1fc6-48f7-b71d-91ac6298247b' },
  },
  {
    stt: 'flux-general-en',
    llm: { provider: 'google', model: 'gemini-2.5-flash' },
    tts: { provider: 'deepgram', model: 'flux', voice: 'haley-en' },
  },
];

let stage: Awaited<ReturnType<typeof openCombinationsStage>>;
/** They run side by side, at the speed of life. */
let calls: readonly { readonly combination: Combination; readonly call: EndedCall; readonly at: SimulatedProvider }[];
beforeAll(async () => {
  stage = await openCombinationsStage();
  const placed = [];
  for (const combination of COMBINATIONS) placed.push({ combination, ...(await stage.placeWith(combination)) });
  calls = await Promise.all(
    placed.map(async ({ callId, ...rest }) => ({ ...rest, call: await stage.untilEnded(callId) })),
  );
});
afterAll(() => stage.close());

const callOf = ({ llm }: Combination) => {
  const found = calls.find(({ combination }) => combination.llm.provider === llm.provider);
  invariant(found, 'the call was placed');
  return found;
};

test.each(COMBINATIONS)('$stt, $llm.provider and $tts.provider conduct a call word for word', (combination) => {
  const { call } = callOf(combination);
  expect(call).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human' });
  const turns = (call.transcript ?? []).map(({ role, text, source }) => [role, text, source]);
  expect(turns).toEqual([
    ['callee', HEARD[0], 'stt'],
    ['agent', SAID[0], 'script'],
    ['callee', HEARD[1], 'stt'],
    ['agent', SAID[1], 'model'],
    ['callee', HEARD[2], 'stt'],
    ['agent', SAID[2], 'model'],
  ]);
});

test.each(COMBINATIONS)(
  '$stt, $llm.provider and $tts.provider: each answer has the parts of its delay',
  (combination) => {
    const { turnMetrics } = callOf(combination).call;
    // The first words are static.
    expect(turnMetrics.map(({ delays }) => delays === undefined)).toEqual([true, false, false]);
    for (const { delays } of turnMetrics.slice(1)) {
      expect(delays?.endpointingMs).toBeGreaterThan(0);
      expect(delays?.llmTtftMs).toBeGreaterThanOrEqual(0);
      expect(delays?.ttsTtfbMs).toBeGreaterThanOrEqual(0);
    }
  },
);

test.each(COMBINATIONS)('$stt, $llm.provider and $tts.provider bill what the call shows', (combination) => {
  const { call, at } = callOf(combination);
  const { stt, llm, tts } = combination;
  const models = { stt: { provider: 'deepgram', model: stt }, llm, tts };
  // The call shows only what was used.
  const billed = at.ledger.totals().filter(({ quantity }) => quantity > 0);
  expect(billed.map(({ component }) => component)).toEqual(expect.arrayContaining(['stt', 'llm', 'tts']));
  expect(call.usage).toHaveLength(billed.length);
  for (const { component, provider, unit, quantity } of billed) {
    invariant(component !== 'realtime', 'a cascade has three models');
    const shown = call.usage.filter((entry) => entry.component === component && entry.unit === unit);
    expect(shown).toMatchObject([{ provider, model: models[component].model }]);
    // Seconds are counted frame by frame on both sides.
    expect(shown[0]?.quantity).toBeCloseTo(quantity, 6);
  }
});

test.each(COMBINATIONS)('$stt, $llm.provider and $tts.provider are charged by the deck of the demo', (combination) => {
  const { call, at } = callOf(combination);
  const { conducted } = call;
  invariant(conducted, 'models conducted the call');
  const items = itemize(call.rate, call, priceUsage(conducted, call.usage));
  expect(items.reduce((sum, { costMicros }) => sum + costMicros, 0n)).toBe(call.costMicros);
  for (const { component, unit, quantity } of at.ledger.totals().filter((entry) => entry.quantity > 0)) {
    const item = items.find((one) => one.product === component && 'unit' in one && one.unit === unit);
    invariant(item, `the ${unit} of ${component} is an item`);
    expect(item.unitPriceMicros).toBeGreaterThan(0n);
    expect(item.costMicros).toBe(BigInt(Math.ceil((quantity * Number(item.unitPriceMicros)) / 1_000_000 - 1e-9)));
  }
  expect(items.filter(({ product }) => product === 'adjustment')).toEqual([]);
});
