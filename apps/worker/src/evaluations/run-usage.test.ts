import { micros, scenarioSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelsByRole, ROLES } from './models-by-role.ts';
import { RunUsage } from './run-usage.ts';

const UNITS = ['input_text_token', 'output_text_token'] as const;
const PLAYED = scenarioSchema.parse({ name: 'played', persona: { kind: 'model', prompt: 'You are busy.' } });
const SCRIPTED = scenarioSchema.parse({ name: 'scripted', persona: { kind: 'scripted', lines: ['Yes.'] } });
const LIVE = { component: 'realtime', provider: 'openai_live', model: 'gpt-live-1' } as const;
const model = (name: string) => ({ component: 'llm', provider: 'openai', model: name }) as const;

const scenarios = fc.record({
  /** By role. */
  own: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  /** Two roles may have the same model. */
  names: fc.array(fc.constantFrom('small', 'large'), { minLength: 3, maxLength: 3 }),
  /** Whether the agent speaks with a realtime model that delegates to its model here. */
  delegates: fc.boolean(),
  /** By model and unit. */
  prices: fc.record({
    small: fc.array(fc.nat(70_000_000), { minLength: 2, maxLength: 2 }),
    large: fc.array(fc.nat(70_000_000), { minLength: 2, maxLength: 2 }),
  }),
  hold: fc.oneof(fc.nat(5_000), fc.constant(1_000_000_000)),
  reports: fc.array(fc.record({ role: fc.nat(2), unit: fc.nat(1), quantity: fc.nat(20_000) }), { maxLength: 12 }),
});

test('a run costs what each role used on the operator’s credential, at most its hold, and shows all of it', () => {
  fc.assert(
    fc.property(scenarios, ({ own, names, delegates, prices, hold, reports }) => {
      const rates = (['small', 'large'] as const).flatMap((name) =>
        UNITS.map((unit, at) => ({ ...model(name), unit, priceMicrosPerMillion: micros(prices[name][at] ?? 0) })),
      );
      const pinned = (at: number) => ({ credentialId: `c${at}`, isOwn: own[at] ?? false, isFallback: false });
      const models = ROLES.map((_, at) => ({ ...model(names[at] ?? 'small'), ...pinned(at) }));
      const job = {
        models: delegates ? [{ ...LIVE, ...pinned(0) }, ...models] : models,
        scenario: PLAYED,
        rates,
        holdMicros: micros(hold),
      };
      const usage = new RunUsage(job, systemClock);
      const sums = new Map<string, bigint>();
      for (const { role, unit, quantity } of reports) {
        const name = names[role] ?? 'small';
        usage.add(ROLES[role] ?? 'agent', [{ ...model(name), unit: UNITS[unit] ?? UNITS[0], quantity }]);
        const key = `${role} ${name} ${unit}`;
        sums.set(key, (sums.get(key) ?? 0n) + BigInt(quantity));
      }
      // With quotient and remainder, not by the formula of the code.
      const cost = [...sums].reduce((total, [key, quantity]) => {
        const [role = '', name = '', unit = ''] = key.split(' ');
        if (own[Number(role)] === true) return total;
        const product = quantity * BigInt(prices[name === 'large' ? 'large' : 'small'][Number(unit)] ?? 0);
        return total + product / 1_000_000n + (product % 1_000_000n === 0n ? 0n : 1n);
      }, 0n);
      const { usage: shown, costMicros } = usage.used();
      expect(costMicros).toBe(cost < BigInt(hold) ? cost : BigInt(hold));
      expect(usage.isSpent).toBe(hold > 0 && cost >= BigInt(hold));
      const quantities = reports.reduce((sum, { quantity }) => sum + quantity, 0);
      expect(shown.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(quantities);
    }),
  );
});

test('usage of a provider that no price list knows is left out', () => {
  const usage = new RunUsage({ models: [], scenario: SCRIPTED, rates: [], holdMicros: micros(10) }, systemClock);
  usage.add('agent', [{ component: 'llm', provider: 'unknown', model: 'm', unit: 'output_text_token', quantity: 7 }]);
  expect(usage.used()).toEqual({ usage: [], costMicros: 0n });
});

const pinnedAs = (name: string) => ({ ...model(name), credentialId: name, isOwn: false, isFallback: false });

test('each role has its own models, with a delegate of the agent, and with and without a model for the persona', () => {
  const live = { ...pinnedAs('agent'), ...LIVE };
  const [delegate, judge, persona] = [pinnedAs('delegate'), pinnedAs('judge'), pinnedAs('persona')];
  expect(modelsByRole({ models: [live, delegate, judge, persona], scenario: PLAYED })).toEqual({
    agent: [live, delegate],
    judge: [judge],
    persona: [persona],
  });
  expect(modelsByRole({ models: [live, delegate, judge], scenario: SCRIPTED })).toEqual({
    agent: [live, delegate],
    judge: [judge],
    persona: [],
  });
});
