import { callingPolicySettingsSchema, OPEN_POLICY, type AccountId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { openOwnAccount } from './own-account.ts';
import type { OwnCallingPolicy } from './own-calling-policy.ts';

const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
const CLOSED = callingPolicySettingsSchema.parse({ windows: { default: {} } });
const CAPPED = callingPolicySettingsSchema.parse({ pack: 'us', caps: [{ hours: 24, max: 3 }] });

let world: World;
let accountId: AccountId;
let policy: OwnCallingPolicy;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ accountId } = await world.party());
  policy = policyOf('user:kim');
});

const policyOf = (actor: string) => openOwnAccount(world.database, { accountId, actor, bounds: BOUNDS }).callingPolicy;

test('each save is the next version, and audited without the rules', async () => {
  expect(await policy.inForce()).toEqual({
    policy: { version: 0, settings: OPEN_POLICY, savedBy: null, savedAtMs: null },
    floor: null,
  });
  for (const settings of [CLOSED, CAPPED]) expect(await policy.save(settings)).toMatchObject({ isNew: true });
  expect((await policy.inForce()).policy).toMatchObject({ version: 2, settings: CAPPED });
  expect(await auditOf(world.database, accountId)).toEqual([
    { actor: 'user:kim', action: 'policy.save', data: { account_id: accountId, version: 1, pack: null } },
    { actor: 'user:kim', action: 'policy.save', data: { account_id: accountId, version: 2, pack: 'us' } },
  ]);
});

test('the policy in force, saved again, makes no version and no audit entry', async () => {
  expect(await policy.save(OPEN_POLICY)).toMatchObject({ isNew: false, policy: { version: 0 } });
  await policy.save(CAPPED);
  const { caps, windows, ...rest } = CAPPED;
  expect(await policy.save({ windows, ...rest, caps })).toMatchObject({ isNew: false, policy: { version: 1 } });
  expect(await auditOf(world.database, accountId)).toHaveLength(1);
});

test('of many saves at once, each makes its own version', async () => {
  const saves = Array.from({ length: 5 }, (_, at) => policy.save({ ...CAPPED, caps: [{ hours: 24, max: at + 1 }] }));
  const saved = (await Promise.all(saves)).map(({ policy: { version } }) => version);
  expect(saved.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
  expect((await policy.versions({ before: null, limit: 9 })).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  expect((await policy.versions({ before: 3, limit: 1 })).map(({ version }) => version)).toEqual([2]);
});

test('a version names the key that saved it, and no operator', async () => {
  const [key] = await world.database.side.$queryRaw<{ id: string }[]>`
    INSERT INTO api_keys (id, account_id, name, shown_prefix, digest, scopes)
    SELECT gen_random_uuid(), ${accountId}::uuid, 'Deployment', 'od_test', sha256(gen_random_uuid()::text::bytea), ARRAY['manage']
    RETURNING id::text AS id`;
  await policyOf(`key:${key?.id}`).save(CLOSED);
  await createAdministration(world.database, { actor: 'alice' }).policies.save(accountId, CAPPED);
  expect((await policy.versions({ before: null, limit: 9 })).map(({ savedBy }) => savedBy)).toEqual([
    'operator',
    'Deployment',
  ]);
});
