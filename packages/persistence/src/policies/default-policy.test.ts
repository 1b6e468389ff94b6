import { callingPolicySettingsSchema } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { ensureDefaultPolicy } from './default-policy.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'test' });
});
afterAll(() => world.close());

const policyOfNewAccount = async () => {
  const { id } = await admin.accounts.create({ name: 'Acme', currency: 'USD' });
  return (await admin.policies.show(id)).policy;
};

test('the first start decides what new accounts begin with, and an operator changes it', async () => {
  expect(await policyOfNewAccount()).toMatchObject({ version: 0 });
  await ensureDefaultPolicy(world.database, 'us');
  await ensureDefaultPolicy(world.database, 'standard');
  expect(await admin.policies.default.show()).toEqual(PACKS.us.settings);
  expect(await policyOfNewAccount()).toMatchObject({ version: 1, savedBy: 'default', settings: PACKS.us.settings });
  const own = callingPolicySettingsSchema.parse({ caps: [{ hours: 1, max: 1 }] });
  expect([await admin.policies.default.set(own), await admin.policies.default.set(own)]).toEqual([true, false]);
  await ensureDefaultPolicy(world.database, 'us');
  expect(await policyOfNewAccount()).toMatchObject({ version: 1, settings: own });
});

test('an account has no policy if new ones begin without a rule', async () => {
  await admin.policies.default.set(PACKS.open.settings);
  expect(await policyOfNewAccount()).toMatchObject({ version: 0, savedBy: null });
});
