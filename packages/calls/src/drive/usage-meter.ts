import { micros, type Micros, type UsageEntry } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { ConductedCall } from '../conducted-call.ts';
import type { Spending } from '../pricing.ts';
import { addQuantities, usageMicros, type UsageReport } from '../usage-cost.ts';

/** Sums what the models of one call use, and knows how fast it spends. */
export interface UsageMeter {
  add(entries: readonly UsageEntry[]): void;
  /** Null before the first usage. The same object until more usage comes. */
  report(): UsageReport | null;
  /**
   * What was spent by now, and what a minute is expected to cost from now on: the estimate, or the last two minutes'
   * spending if it is greater.
   */
  spending(): Omit<Spending, 'talkedMs'>;
}

/** Realtime models grow dearer by the minute: a longer time would lag behind, a shorter one would follow each answer. */
const WINDOW_MS = 120_000;
const WINDOW_MINUTES = BigInt(WINDOW_MS / 60_000);

interface Sum {
  readonly atMs: number;
  readonly spentMicros: Micros;
}

export function createUsageMeter(conducted: ConductedCall, clock: Pick<Clock, 'monotonicMs'>): UsageMeter {
  const sums = new Map<string, UsageEntry>();
  /** The sum before the window, then each sum within it, by time. */
  const spent: Sum[] = [];
  let report: UsageReport | null = null;

  const spentMicros = () => report?.costMicros ?? micros(0);

  function forget(beforeMs: number): void {
    while ((spent[1]?.atMs ?? Infinity) <= beforeMs) spent.shift();
  }

  function microsPerMinute(): Micros {
    const sinceMs = clock.monotonicMs() - WINDOW_MS;
    forget(sinceMs);
    const [oldest] = spent;
    const before = oldest !== undefined && oldest.atMs <= sinceMs ? oldest.spentMicros : 0n;
    const lately = (spentMicros() - before + WINDOW_MINUTES - 1n) / WINDOW_MINUTES;
    const { estimateMicrosPerMinute } = conducted;
    return micros(lately > estimateMicrosPerMinute ? lately : estimateMicrosPerMinute);
  }

  return {
    add(entries) {
      const used = entries.filter(({ quantity }) => Number.isFinite(quantity) && quantity > 0);
      if (used.length === 0) return;
      for (const entry of used) {
        const { component, provider, model, unit } = entry;
        const key = JSON.stringify([component, provider, model, unit]);
        const quantity = addQuantities(sums.get(key)?.quantity ?? 0, entry.quantity);
        sums.set(key, { component, provider, model, unit, quantity });
      }
      const total = [...sums.values()];
      report = { entries: total, costMicros: usageMicros(conducted, total) };
      const atMs = clock.monotonicMs();
      forget(atMs - WINDOW_MS);
      spent.push({ atMs, spentMicros: report.costMicros });
    },
    report: () => report,
    spending: () => ({ spentMicros: spentMicros(), microsPerMinute: microsPerMinute() }),
  };
}
