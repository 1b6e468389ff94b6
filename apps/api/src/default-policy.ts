import type { PolicyPack } from '@outdial/contracts';
import { ensureDefaultPolicy, type Database } from '@outdial/persistence';

export interface DefaultPolicy {
  /** Resolves once the database has a policy for new accounts; asks it once. Rejects while it does not answer. */
  stored(): Promise<void>;
}

export function createDefaultPolicy(database: Pick<Database, 'side'>, pack: PolicyPack): DefaultPolicy {
  let storing: Promise<void> | undefined;
  return {
    stored() {
      storing ??= ensureDefaultPolicy(database, pack).catch((error: unknown) => {
        storing = undefined;
        throw error;
      });
      return storing;
    },
  };
}
