import { describe } from 'vitest';
import { stageForEach } from '../stage-for-each.ts';
import { admissionCases } from './admission-cases.ts';
import { policyCases } from './policy-cases.ts';
import type { ScheduleStoreStage } from './schedule-store-stage.ts';
import { turnCases } from './turn-cases.ts';

/** What every `ScheduleStore` promises about turns and the calls that they take. Its cases need no other time than ours. */
export function describeScheduleStore(name: string, open: () => Promise<ScheduleStoreStage>): void {
  describe(`a schedule store: ${name}`, () => {
    const stage = stageForEach(open);
    turnCases(stage);
    admissionCases(stage);
    policyCases(stage);
  });
}
