import type { AccountId, CallId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { CampaignSweepStore, OverReason } from '../ports/campaign-store.ts';
import type { AdmissionObserver } from '../ports/observer.ts';

export interface SweepCampaignsDeps {
  readonly store: CampaignSweepStore;
  readonly observer: Pick<AdmissionObserver, 'ended'>;
  readonly endCall: (call: { readonly accountId: AccountId; readonly callId: CallId }) => Promise<unknown>;
  readonly logger: Logger;
}

/** Any number of processes may do it at once. */
export interface SweepCampaigns {
  sweep(stopping: AbortSignal): Promise<void>;
  /** Of use every few seconds. */
  measure(stopping: AbortSignal): Promise<void>;
  /** Gives up uploads that have come to a standstill, and removes what failed and old ones and deleted campaigns have left. */
  tidy(stopping: AbortSignal): Promise<void>;
}

const ENDED_AT_ONCE = 500;
const HUNG_UP_AT_ONCE = 50;
const MOVED_AT_ONCE = 100;
const MEASURED_AT_ONCE = 500;
/** Of each kind in a round: while one account's millions of rows are removed, uploads of others come to a standstill. */
const REMOVALS_AT_ONCE = 100;

/** Ends what campaigns that are over have scheduled, then moves campaigns on: one that was cancelled is so in one sweep. */
export function createSweepCampaigns({ store, observer, endCall, logger }: SweepCampaignsDeps): SweepCampaigns {
  async function endOver(stopping: AbortSignal): Promise<void> {
    let ended: readonly OverReason[];
    do {
      ended = await store.endOver({ limit: ENDED_AT_ONCE });
      for (const reason of new Set(ended)) observer.ended(reason, ended.filter((each) => each === reason).length);
      if (ended.length > 0)
        logger.info({ event: 'campaign.calls_ended', count: ended.length }, 'scheduled calls of campaigns were ended');
    } while (ended.length === ENDED_AT_ONCE && !stopping.aborted);
  }

  /** What a process left undone that cancelled a campaign and crashed. */
  async function hangUp(stopping: AbortSignal): Promise<void> {
    let count = HUNG_UP_AT_ONCE;
    while (count === HUNG_UP_AT_ONCE && !stopping.aborted) {
      const calls = await store.toHangUp({ limit: HUNG_UP_AT_ONCE });
      await Promise.all(calls.map(endCall));
      count = calls.length;
    }
  }

  return {
    async sweep(stopping) {
      await hangUp(stopping);
      await endOver(stopping);
      for (const { campaignId, accountId, state } of await store.move({ limit: MOVED_AT_ONCE }))
        logger.info({ event: 'campaign.moved', campaignId, accountId, state }, 'a campaign moved on');
    },
    async tidy(stopping) {
      const count = await store.giveUpUploads();
      if (count > 0) logger.info({ event: 'campaign.uploads_given_up', count }, 'uploads had come to a standstill');
      await removeSome(() => store.removeFailedContacts(), stopping);
      await removeSome(() => store.removeDeleted(), stopping);
      await removeSome(() => store.removeOldErrors(), stopping);
    },
    async measure(stopping) {
      while ((await store.measure({ limit: MEASURED_AT_ONCE })) === MEASURED_AT_ONCE && !stopping.aborted);
    },
  };
}

/** `remove` takes a step, and says whether more may be left. */
async function removeSome(remove: () => Promise<boolean>, stopping: AbortSignal): Promise<void> {
  let steps = REMOVALS_AT_ONCE;
  while (steps > 0 && !stopping.aborted && (await remove())) steps -= 1;
}
