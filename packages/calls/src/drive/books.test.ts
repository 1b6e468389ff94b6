import { micros, type UsageEntry, type UsageUnit } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callFacts, DriveWorld, pass } from '../../test/drive-world.ts';
import type { ConductedCall } from '../conducted-call.ts';
import { LEASE_MS } from '../lease.ts';
import { itemize } from '../pricing.ts';
import { takeOverCalls } from '../reconcile/take-over-calls.ts';
import { priceUsage } from '../usage-cost.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const REALTIME = { component: 'realtime', provider: 'openai', model: 'gpt-realtime' } as const;
/** Over the same connection and billed apart, by tokens or by the second. */
const TRANSCRIPTION = { component: 'stt', provider: 'openai', model: 'gpt-4o-mini-transcribe' } as const;
const STT = { component: 'stt', provider: 'deepgram', model: 'flux-general-en' } as const;
const LLM = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
const TTS = { component: 'tts', provider: 'elevenlabs', model: 'eleven_flash_v2_5' } as const;
type Model = typeof REALTIME | typeof TRANSCRIPTION | typeof STT | typeof LLM | typeof TTS;

const FAMILIES: Readonly<Record<ConductedCall['driver'], readonly (readonly [Model, readonly UsageUnit[]])[]>> = {
  realtime: [
    [REALTIME, ['input_audio_token', 'cached_input_audio_token', 'output_audio_token', 'output_text_token']],
    [TRANSCRIPTION, ['input_audio_token', 'output_text_token', 'second']],
  ],
  cascade: [
    [STT, ['second']],
    [LLM, ['input_text_token', 'cached_input_text_token', 'output_text_token']],
    [TTS, ['character']],
  ],
};
const MOST_UNITS = 7;

interface Books {
  readonly driver: ConductedCall['driver'];
  /** By model. */
  readonly own: readonly boolean[];
  /** By unit, over all models. */
  readonly prices: readonly number[];
  readonly estimate: number;
  readonly funds: number;
  /** `unit` counts over all models; `parts` are millionths. */
  readonly reports: readonly { readonly unit: number; readonly parts: number; readonly afterMs: number }[];
  readonly end: 'hang_up' | 'lost';
}

const books: fc.Arbitrary<Books> = fc.record({
  driver: fc.constantFrom('realtime' as const, 'cascade' as const),
  own: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  prices: fc.array(fc.nat(70_000_000), { minLength: MOST_UNITS, maxLength: MOST_UNITS }),
  estimate: fc.nat(40_000),
  funds: fc.oneof(fc.nat(90_000), fc.constant(100_000_000)),
  reports: fc.array(fc.record({ unit: fc.nat(MOST_UNITS - 1), parts: fc.nat(400_000_000), afterMs: fc.nat(30_000) }), {
    maxLength: 30,
  }),
  end: fc.constantFrom('hang_up' as const, 'lost' as const),
});

interface PricedUnit {
  readonly model: Model;
  readonly unit: UsageUnit;
  readonly price: number;
  readonly isOwn: boolean;
}

function unitsOf({ driver, own, prices }: Books): readonly PricedUnit[] {
  return FAMILIES[driver]
    .flatMap(([model, units], index) => units.map((unit) => ({ model, unit, isOwn: own[index] ?? false })))
    .map((unit, index) => ({ ...unit, price: prices[index] ?? 0 }));
}

function conductedBy(scenario: Books): ConductedCall {
  return {
    driver: scenario.driver,
    models: FAMILIES[scenario.driver].map(([model], index) => {
      const isOwn = scenario.own[index] ?? false;
      return { ...model, credentialId: isOwn ? 'own' : 'operators', isOwn, isFallback: false };
    }),
    rates: unitsOf(scenario).map(({ model, unit, price }) => ({
      ...model,
      unit,
      priceMicrosPerMillion: micros(price),
    })),
    estimateMicrosPerMinute: micros(scenario.estimate),
  };
}

const nameOf = ({ component, model, unit }: Pick<UsageEntry, 'component' | 'model' | 'unit'>) =>
  `${component} ${model} ${unit}`;

/** What the entries cost, in integers and with quotient and remainder, not by the formula of the code. */
function expectedCost(units: readonly PricedUnit[], usage: readonly UsageEntry[]): bigint {
  return units.reduce((total, { model, unit, price, isOwn }) => {
    const parts = usage
      .filter((entry) => nameOf(entry) === nameOf({ ...model, unit }))
      .reduce((sum, { quantity }) => sum + BigInt(Math.round(quantity * 1_000_000)), 0n);
    const product = isOwn ? 0n : parts * BigInt(price);
    return total + product / 10n ** 12n + (product % 10n ** 12n === 0n ? 0n : 1n);
  }, 0n);
}

function totals(usage: readonly UsageEntry[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const entry of usage) {
    const name = nameOf(entry);
    sums[name] = Math.round((sums[name] ?? 0) + entry.quantity * 1_000_000);
  }
  return sums;
}

/** Reports until the call is over. Returns what was reported. */
async function talk(world: DriveWorld, scenario: Books): Promise<readonly UsageEntry[]> {
  const units = unitsOf(scenario);
  const reported: UsageEntry[] = [];
  for (const { unit: index, parts, afterMs } of scenario.reports) {
    await pass(afterMs);
    if (world.conversation.finished > 0) break;
    const chosen = units[index % units.length];
    if (chosen === undefined || parts === 0) continue;
    const entry = { ...chosen.model, unit: chosen.unit, quantity: parts / 1_000_000 };
    reported.push(entry);
    world.conversation.emit({ kind: 'usage', entries: [entry] });
  }
  return reported;
}

test(
  'a call of either family is charged once: the sum of its items, at most its hold, and nothing for own credentials',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(books, async (scenario) => {
        const conducted = conductedBy(scenario);
        const world = new DriveWorld({ conducted, fundsMicros: micros(scenario.funds) });
        const before = world.store.balanceMicros;
        const { leg, driving } = await world.answer();
        const reported = await talk(world, scenario);
        if (scenario.end === 'lost') world.store.takeAway();
        leg.end({ outcome: 'completed' });
        await pass(LEASE_MS + 120_000);
        world.store.before = () => undefined;
        const logger = createLogger({ name: 'test', level: 'silent' });
        await takeOverCalls({ ...world.deps, logger, workerId: 'worker-2' }, { limit: 10 });
        await pass(200_000);
        await driving;

        const { charge, reason, usage } = world.settlement;
        const stored = usage?.entries ?? world.store.usage;
        const billed =
          BigInt(Math.ceil(charge.billableSeconds / 60)) * 12_000n + expectedCost(unitsOf(scenario), stored);
        const { holdMicros } = world.store;
        expect(charge.costMicros).toBe(billed < holdMicros ? billed : holdMicros);
        expect(before - world.store.balanceMicros).toBe(charge.costMicros);

        const known = totals(reported);
        if (reason !== 'worker_lost') expect(totals(stored)).toEqual(known);
        for (const [name, parts] of Object.entries(totals(stored))) expect(parts).toBeLessThanOrEqual(known[name] ?? 0);

        const priced = priceUsage(conducted, stored);
        const items = itemize(callFacts().rate, charge, priced);
        expect(items.reduce((sum, { costMicros }) => sum + costMicros, 0n)).toBe(charge.costMicros);
        for (const { isOwn, costMicros, quantity } of priced) {
          expect(quantity).toBeGreaterThan(0);
          if (isOwn) expect(costMicros).toBe(0n);
        }
      }),
      { numRuns: 150 },
    );
  },
);
