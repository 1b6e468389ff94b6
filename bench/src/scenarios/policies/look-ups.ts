import { calleePlace, PACKS, windowAt } from '@outdial/policies';
import { anyNumber } from '../../policies/policies.ts';
import { median, type Figure } from '../../report.ts';

const NUMBERS = 10_000;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 5;

/** What the process asks of each request: where the callee is, and whether the `us` pack lets it be called now. */
export async function measureLookUps(): Promise<Figure> {
  const policies = { policy: PACKS.us.settings, floor: null };
  const numbers = Array.from({ length: NUMBERS }, anyNumber);
  const micros: number[] = [];
  let open = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const nowMs = Date.now();
    const startedMs = performance.now();
    for (const number of numbers) if (windowAt(policies, calleePlace(number, null), nowMs).kind === 'open') open += 1;
    if (round >= WARM_UP_ROUNDS) micros.push(((performance.now() - startedMs) * 1_000) / NUMBERS);
  }
  return {
    name: 'a look-up of where a callee is and whether its hours are open, us pack',
    value: median(micros),
    unit: 'µs',
    goal: { atMost: 1 },
    absolute: {
      'slowest round µs': Math.max(...micros),
      'open %': (open * 100) / (NUMBERS * (WARM_UP_ROUNDS + ROUNDS)),
    },
  };
}
