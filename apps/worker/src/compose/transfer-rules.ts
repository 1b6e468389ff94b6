import { randomUUID } from 'node:crypto';
import { createTransferRules, type CallDriverDeps, type TransferRules } from '@outdial/calls';
import { callIdSchema, reservationIdSchema } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import {
  cachedDirectory,
  checkSuppressions,
  createDirectory,
  createTransferStore,
  type Database,
} from '@outdial/persistence';

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

/** The stores of warm transfers. */
export function composeSecondLegs(database: Database): NonNullable<CallDriverDeps['secondLegs']> {
  return {
    store: createTransferStore(database),
    newLegId: () => callIdSchema.parse(randomUUID()),
    newReservationId: () => reservationIdSchema.parse(randomUUID()),
  };
}
