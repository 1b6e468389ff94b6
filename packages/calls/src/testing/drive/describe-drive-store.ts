import { describe } from 'vitest';
import { stageForEach } from '../stage-for-each.ts';
import { claimCases, reclaimCases } from './claim-cases.ts';
import type { DriveStoreStage } from './drive-store-stage.ts';
import { fencingCases, writeCases } from './fencing-cases.ts';
import { lineCases } from './line-cases.ts';
import { enlargeCases, settleCases } from './money-cases.ts';
import { optOutCases } from './opt-out-cases.ts';
import { takeOverCases } from './take-over-cases.ts';

/** What every `DriveStore` promises about a call. */
export function describeDriveStore(name: string, open: () => Promise<DriveStoreStage>): void {
  describe(`a drive store: ${name}`, () => {
    const stage = stageForEach(open);
    claimCases(stage);
    reclaimCases(stage);
    lineCases(stage);
    fencingCases(stage);
    writeCases(stage);
    optOutCases(stage);
    takeOverCases(stage);
    enlargeCases(stage);
    settleCases(stage);
  });
}
