import { createTransferRules, type TransferRules } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { cachedDirectory, checkSuppressions, createDirectory, type Database } from '@outdial/persistence';

/** Whom agents may transfer callees to. */
export function composeTransferRules(database: Database, clock: Clock): TransferRules {
  return createTransferRules({
    directory: cachedDirectory(createDirectory(database), clock),
    async isSuppressed(accountId, number) {
      const checks = await checkSuppressions(database, accountId, [number]);
      return checks.some(({ by }) => by !== null);
    },
  });
}
