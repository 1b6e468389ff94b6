import { createLogger } from '@outdial/kernel';
import { expect, test } from 'vitest';
import type { CampaignSweepStore } from '../ports/campaign-store.ts';
import { createSweepCampaigns } from './sweep-campaigns.ts';

const LARGE = 1_000_000;

/** A store that never runs out of what is to be removed, and counts the steps. */
function storeThatIsFull() {
  const steps: Record<string, number> = {};
  const remove = (kind: string) => async () => {
    steps[kind] = (steps[kind] ?? 0) + 1;
    return steps[kind] < LARGE;
  };
  const store: CampaignSweepStore = {
    toHangUp: async () => [],
    endOver: async () => [],
    move: async () => [],
    measure: async () => 0,
    giveUpUploads: async () => 0,
    removeFailedContacts: remove('failed'),
    removeDeleted: remove('deleted'),
    removeOldErrors: remove('errors'),
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  const sweep = createSweepCampaigns({
    store,
    observer: { ended: () => undefined },
    endCall: async () => undefined,
    logger,
  });
  return { sweep, steps };
}

test('a round comes to every kind, however much an account has left of one', async () => {
  const { sweep, steps } = storeThatIsFull();
  await sweep.tidy(new AbortController().signal);
  expect(steps).toEqual({ failed: 100, deleted: 100, errors: 100 });
});

test('a worker that stops takes no further step', async () => {
  const { sweep, steps } = storeThatIsFull();
  await sweep.tidy(AbortSignal.abort());
  expect(steps).toEqual({});
});
