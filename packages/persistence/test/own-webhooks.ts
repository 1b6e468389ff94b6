import type { SecretKey } from '@outdial/secrets';
import type { NewWebhookEndpoint } from '../src/webhooks/own-endpoints.ts';
import { createWebhookEndpoints } from '../src/webhooks/webhook-endpoints.ts';
import { createWebhookStore } from '../src/webhooks/webhook-store.ts';
import { attemptOf, claimAll } from './webhooks.ts';
import type { Party, World } from './world.ts';

export const secretKey: SecretKey = Buffer.alloc(32, 7);
export const sealing = { secret: 'whsec_one', secretKey };
export const ACTOR = 'user:ada';

export const inputOf = (changes: Partial<NewWebhookEndpoint> = {}): NewWebhookEndpoint => ({
  ...sealing,
  url: 'https://receiver.example/hooks',
  events: [],
  description: '',
  ratePerSecond: null,
  maxOfAccount: 20,
  ...changes,
});

/** The webhooks of accounts of a world, and the sender's side of them. */
export function createOwnWebhooks(world: World) {
  const store = createWebhookStore(world.database, { workerId: 'worker-1' });
  const of = ({ accountId }: Pick<Party, 'accountId'>) =>
    createWebhookEndpoints(world.database, { accountId, actor: ACTOR });

  return {
    store,
    of,

    async withEndpoint(changes: Partial<NewWebhookEndpoint> = {}) {
      const party = await world.party();
      const endpoints = of(party);
      return { party, endpoints, endpoint: await endpoints.create(inputOf(changes)) };
    },

    /** A call whose first webhook was delivered. */
    async sentTo(party: Party) {
      const { id } = await world.queued(party);
      const [delivery] = await claimAll(store);
      if (!delivery) throw new Error('one is claimed');
      await store.finish(attemptOf(delivery));
      return { callId: id, delivery };
    },

    auditOf: (subjectId: string) =>
      world.database.side.$queryRaw<{ action: string; actor: string; accountId: string }[]>`
        SELECT action, actor, data ->> 'account_id' AS "accountId" FROM audit_entries
        WHERE subject_id = ${subjectId} ORDER BY id`,
  };
}

export type OwnWebhooks = ReturnType<typeof createOwnWebhooks>;
