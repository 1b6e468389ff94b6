import type { Figure } from '../report.ts';
import type { ModelsStage } from './stage.ts';

/** Calls that were placed and did not talk until the benchmark ended them, and why they ended. */
export async function earlyEnds(stage: ModelsStage, name: string, placedIds: readonly string[]): Promise<Figure> {
  const reasons = await stage.earlyEnds(placedIds);
  return {
    name: `${name}: calls that ended by themselves`,
    value: Object.values(reasons).reduce((sum, calls) => sum + calls, 0),
    unit: 'calls',
    goal: { atMost: 0 },
    absolute: { placed: placedIds.length, ...reasons },
  };
}
