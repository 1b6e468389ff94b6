import { randomUUID } from 'node:crypto';
import { accountIdSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { listOf, numbersFrom } from '../../test/suppressions.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from './administration.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

test('a number of the platform’s list is suppressed for every account, which sees no entry of it', async () => {
  const [number] = numbersFrom(1);
  invariant(number, 'there is a number');
  const platform = admin.suppressionsOf(null);
  expect(await platform.add({ numbers: [number], reason: 'a regulator' })).toEqual({ kind: 'added', added: 1 });
  const party = await world.party();
  const own = listOf(world.database, party.accountId);
  expect(await own.check([number])).toEqual([{ number, by: 'platform', suppression: null }]);
  expect(await own.find([number])).toEqual([]);
  const refused = await world.accepts.accept(await world.row(party, { calleeNumber: number }));
  expect(refused.kind).toBe('suppressed');
  const [entry] = (await platform.page({ after: null, limit: 5, number })).suppressions;
  invariant(entry, 'the number is on the list');
  expect(entry).toMatchObject({ number, source: 'operator', reason: 'a regulator' });
  expect(await own.remove({ id: entry.id, reason: 'x' })).toEqual({ kind: 'not_found' });
  expect(await platform.check([number])).toMatchObject([{ by: 'platform', suppression: { id: entry.id } }]);
  expect(await platform.remove({ id: entry.id, reason: 'lifted' })).toMatchObject({ kind: 'removed' });
  expect((await world.accepts.accept(await world.row(party, { calleeNumber: number }))).kind).toBe('accepted');
  expect(await auditOf(world.database, 'platform')).toMatchObject([{ action: 'suppression.add', data: { added: 1 } }]);
});

test('two imports to the platform’s list at once, in opposite orders, add each number once', async () => {
  const numbers = numbersFrom(1_000, 12_025_580_000);
  const platform = admin.suppressionsOf(null);
  const outcomes = await Promise.all([
    platform.beginImport({}).add(numbers),
    platform.beginImport({}).add(numbers.toReversed()),
  ]);
  const added = outcomes.map((outcome) => (outcome.kind === 'added' ? outcome.added : -1));
  expect(added.reduce((sum, each) => sum + each, 0)).toBe(1_000);
});

test('the operator’s view of an account’s list is that of the account, and shows no other', async () => {
  const [one, two] = [await world.party(), await world.party()];
  await admin.suppressionsOf(one.accountId).add({ numbers: numbersFrom(1) });
  expect(await listOf(world.database, one.accountId).find(numbersFrom(1))).toMatchObject([{ source: 'operator' }]);
  const [entry] = (await admin.suppressionsOf(one.accountId).page({ after: null, limit: 5 })).suppressions;
  invariant(entry, 'the number is on the list');
  const other = admin.suppressionsOf(two.accountId);
  expect((await other.page({ after: null, limit: 5 })).suppressions).toEqual([]);
  expect(await other.remove({ id: entry.id, reason: 'x' })).toEqual({ kind: 'not_found' });
});

test('an account that does not exist has no list', async () => {
  const unknown = admin.suppressionsOf(accountIdSchema.parse(randomUUID()));
  await expect(unknown.add({ numbers: numbersFrom(1) })).rejects.toMatchObject({ code: 'account_not_found' });
});
