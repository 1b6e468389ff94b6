import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { campaignsOf, running } from '../../test/campaigns.ts';
import { plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { openOwnAccount } from './own-account.ts';

const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };

let world: World;
let accountId: AccountId;
let endpointId: WebhookEndpointId;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  ({ accountId } = await world.party());
  endpointId = await plantEndpoint(world.database, accountId);
});
afterAll(() => world.close());

const own = (of = accountId) => openOwnAccount(world.database, { accountId: of, actor: 'user:kim', bounds: BOUNDS });
const disable = () => world.database.side.$queryRaw`SELECT disable_webhook_endpoint(${endpointId}::uuid, 'gone')`;

test('a notice of the sweep is shown to the account, and to no other', async () => {
  await disable();
  expect(await own().notices()).toMatchObject([
    { kind: 'webhook_endpoint_disabled', endpointId, url: 'https://receiver.example/hooks', isGone: true },
  ]);
  expect(await own((await world.party()).accountId).notices()).toEqual([]);
});

test('a dismissed notice is shown no more, and the first member who dismissed it is on record', async () => {
  await disable();
  const [notice] = await own().notices();
  await own((await world.party()).accountId).dismissNotice(notice?.id ?? '');
  expect(await own().notices()).toHaveLength(1);
  await own().dismissNotice(notice?.id ?? '');
  await openOwnAccount(world.database, { accountId, actor: 'user:lee', bounds: BOUNDS }).dismissNotice(
    notice?.id ?? '',
  );
  expect(await own().notices()).toEqual([]);
  const rows = await world.database.side.$queryRaw<{ by: string; dismissed: boolean }[]>`
    SELECT dismissed_by AS by, dismissed_at IS NOT NULL AS dismissed FROM account_notices
    WHERE account_id = ${accountId}::uuid`;
  expect(rows).toEqual([{ by: 'user:kim', dismissed: true }]);
});

test('a notice about an endpoint that was deleted, or of a kind that is not known, is not shown', async () => {
  await disable();
  await world.database.side.$executeRaw`
    INSERT INTO account_notices (account_id, kind, data) SELECT account_id, 'later_kind', data FROM account_notices
    WHERE account_id = ${accountId}::uuid`;
  expect(await own().notices()).toHaveLength(1);
  await world.database.side.$executeRaw`
    UPDATE webhook_endpoints SET deleted_at = clock_timestamp() WHERE id = ${endpointId}::uuid`;
  expect(await own().notices()).toEqual([]);
});

test('a notice about a campaign names it as it is called now, and is shown as long as it holds', async () => {
  const party = await world.party();
  const id = await running(world, party);
  const tell = (kind: string, data: object = {}) => world.database.side.$executeRaw`
    INSERT INTO account_notices (account_id, kind, data)
    VALUES (${party.accountId}::uuid, ${kind}, ${JSON.stringify({ campaign_id: id, name: 'Autumn', ...data })}::jsonb)`;
  await tell('campaign_completed');
  await tell('campaign_upload_failed', { file_name: 'people.csv' });
  await tell('campaign_budget');
  await tell('campaign_funds');
  await campaignsOf(world.database, party).update(id, { change: { name: 'Winter' }, states: ['running'] });
  const shown = async () => (await own(party.accountId).notices()).toSorted((a, b) => a.kind.localeCompare(b.kind));
  const about = { campaignId: id, campaignName: 'Winter' };
  expect(await shown()).toMatchObject([
    { kind: 'campaign_completed', ...about, fileName: null },
    { kind: 'campaign_upload_failed', ...about, fileName: 'people.csv' },
  ]);
  await world.database.side.$executeRaw`
    UPDATE campaign_lanes SET held_by = 'funds', held_since = clock_timestamp() WHERE campaign_id = ${id}::uuid`;
  expect((await shown()).map(({ kind }) => kind)).toContain('campaign_funds');
  await campaignsOf(world.database, party).changeState(id, { kind: 'pause' });
  expect((await shown()).map(({ kind }) => kind)).toEqual([
    'campaign_budget',
    'campaign_completed',
    'campaign_upload_failed',
  ]);
  expect(await own().notices()).toEqual([]);
});
