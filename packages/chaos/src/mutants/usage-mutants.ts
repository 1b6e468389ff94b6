import type { Mutant } from './mutant.ts';

const KEEP = 'packages/persistence/src/drive/keep-usage.ts';
const COST = 'packages/calls/src/usage-cost.ts';

/** The safeguards of what models use: it is stored as it was reported, and paid for once, by whom it is owed. */
export const USAGE_MUTANTS = {
  usage_once: {
    guarantee: 'a report of usage takes the place of those before it',
    patches: [
      {
        file: KEEP,
        find: 'SET usage = i.usage, usage_cost_micros = i.usage_cost_micros',
        replace: 'SET usage = m.usage || i.usage, usage_cost_micros = m.usage_cost_micros + i.usage_cost_micros',
      },
    ],
    profile: 'models',
    seed: 3,
  },
  usage_charged_once: {
    guarantee: 'what models used is charged once',
    patches: [
      {
        file: 'packages/calls/src/pricing.ts',
        find: 'talkTimeMicros(rate, seconds) + usageMicros;',
        replace: 'talkTimeMicros(rate, seconds) + usageMicros + usageMicros;',
      },
    ],
    profile: 'models',
    seed: 2,
  },
  usage_own: {
    guarantee: 'what an account uses on its own credential costs nothing here',
    patches: [
      {
        file: 'packages/calls/src/accept/plan-models.ts',
        find: '    if (!isOwn) paid.push(need);',
        replace: '    paid.push(need);',
      },
      { file: COST, find: 'isOwn ? micros(0) : (rate', replace: '(rate' },
    ],
    profile: 'models',
    seed: 2,
  },
} satisfies Readonly<Record<string, Mutant>>;
