import type { AccountId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { OwnCallingPolicy } from '@outdial/persistence';

/** The policy that was saved. */
export interface SavedVersion {
  readonly accountId: AccountId;
  readonly version: number;
}

/**
 * Has another policy asked about the calls that wait. Not awaited: the policy is in force, and thousands of calls may wait. One
 * look at a time for an account, however often it saves: one more look asks what is saved while it runs.
 */
export type LookAtWaitingCalls = (callingPolicy: Pick<OwnCallingPolicy, 'lookAgain'>, saved: SavedVersion) => void;

export function createWaitingCalls({ logger }: { readonly logger: Logger }): LookAtWaitingCalls {
  /** By account, while a look runs: the version that was saved since it began. */
  const looks = new Map<AccountId, SavedVersion | null>();

  async function look(callingPolicy: Pick<OwnCallingPolicy, 'lookAgain'>, saved: SavedVersion): Promise<void> {
    for (let asked: SavedVersion | null = saved; asked !== null; asked = looks.get(saved.accountId) ?? null) {
      looks.set(saved.accountId, null);
      await callingPolicy.lookAgain().catch((err: unknown) => {
        logger.warn(
          { event: 'policy.calls_left_waiting', ...asked, err },
          'calls wait until the earlier policy lets them through',
        );
      });
    }
    looks.delete(saved.accountId);
  }

  return (callingPolicy, saved) => {
    if (looks.has(saved.accountId)) looks.set(saved.accountId, saved);
    else void look(callingPolicy, saved);
  };
}
