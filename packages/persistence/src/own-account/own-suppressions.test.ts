import { randomUUID } from 'node:crypto';
import { e164Schema, MOST_SUPPRESSIONS, suppressionIdSchema, type E164, type SuppressionId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { countsOf, listOf, numbersFrom } from '../../test/suppressions.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import type { OwnSuppressions } from './own-suppressions.ts';

const ADA = e164Schema.parse('+12025551000');
const BEN = e164Schema.parse('+12025551001');
const CLEO = e164Schema.parse('+12025551002');

let world: World;
let party: Party;
let list: OwnSuppressions;
let foreign: OwnSuppressions;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
  list = listOf(world.database, party.accountId);
  foreign = listOf(world.database, (await world.party()).accountId);
});

const add = (of: OwnSuppressions, numbers: readonly E164[], reason?: string) =>
  of.add({ numbers, source: 'api', reason });
const numbersOf = async (of: OwnSuppressions) =>
  (await of.page({ after: null, limit: 100 })).suppressions.map(({ number }) => number).toSorted();
const entryOf = async (of: OwnSuppressions, number: E164) => {
  const [entry] = await of.find([number]);
  invariant(entry, 'the number is on the list');
  return entry;
};

describe('adding numbers', () => {
  test('adds each once, and counts those that are new', async () => {
    expect(await add(list, [ADA, BEN, ADA], 'asked by e-mail')).toEqual({ kind: 'added', added: 2 });
    expect(await add(list, [BEN, CLEO])).toEqual({ kind: 'added', added: 1 });
    const entries = await list.find([BEN, ADA]);
    expect(entries).toMatchObject([
      { number: ADA, kind: 'manual', source: 'api', reason: 'asked by e-mail', callId: null },
      { number: BEN, kind: 'manual', source: 'api', reason: 'asked by e-mail' },
    ]);
    expect(await countsOf(world.database, party.accountId)).toEqual({ counted: 3, stored: 3 });
  });

  test('is audited with how many were added, and without the numbers', async () => {
    await add(list, [ADA, BEN], 'a complaint');
    await add(list, [ADA]);
    expect(await auditOf(world.database, party.accountId)).toEqual([
      {
        actor: 'user:kim',
        action: 'suppression.add',
        data: { account_id: party.accountId, added: 2, source: 'api', reason: 'a complaint' },
      },
    ]);
  });

  test('leaves an opt-out as it is', async () => {
    const call = await world.queued(party);
    await list.optOutCall({ callId: call.id, source: 'api' });
    expect(await add(list, [call.calleeNumber])).toEqual({ kind: 'added', added: 0 });
    expect(await list.find([call.calleeNumber])).toMatchObject([{ kind: 'opt_out' }]);
  });

  test('adds nothing beyond the bound of manual entries, and opt-outs all the same', async () => {
    await world.database.side.$executeRaw`
      INSERT INTO suppression_counts (account_id, manual) VALUES (${party.accountId}::uuid, ${MOST_SUPPRESSIONS - 2}::int)`;
    expect(await add(list, numbersFrom(3))).toEqual({ kind: 'too_many', limit: MOST_SUPPRESSIONS });
    expect(await numbersOf(list)).toEqual([]);
    expect(await add(list, numbersFrom(2))).toEqual({ kind: 'added', added: 2 });
    expect(await add(list, numbersFrom(2))).toEqual({ kind: 'added', added: 0 });
    const call = await world.queued(party);
    expect(await list.optOutCall({ callId: call.id, source: 'api' })).toMatchObject({ kind: 'opt_out' });
  });

  test('two adds at once add a number once, and together they do not pass the bound', async () => {
    await world.database.side.$executeRaw`
      INSERT INTO suppression_counts (account_id, manual) VALUES (${party.accountId}::uuid, ${MOST_SUPPRESSIONS - 30}::int)`;
    const same = await Promise.all(Array.from({ length: 4 }, () => add(list, numbersFrom(20))));
    expect(same.filter((outcome) => outcome.kind === 'added' && outcome.added === 20)).toHaveLength(1);
    expect(same.filter((outcome) => outcome.kind === 'added' && outcome.added === 0)).toHaveLength(3);
    const others = await Promise.all([1, 2, 3].map((at) => add(list, numbersFrom(6, 12_025_560_000 + at * 100))));
    expect(others.map(({ kind }) => kind).toSorted()).toEqual(['added', 'too_many', 'too_many']);
    expect(await countsOf(world.database, party.accountId)).toEqual({ counted: MOST_SUPPRESSIONS - 4, stored: 26 });
  });

  test('an import has one audit row, which counts what all its chunks added', async () => {
    const importing = list.beginImport({ source: 'import', reason: 'old CRM' });
    await importing.add(numbersFrom(3));
    await importing.add(numbersFrom(3));
    await importing.add(numbersFrom(5));
    expect(await auditOf(world.database, party.accountId)).toMatchObject([
      { action: 'suppression.import', data: { added: 5, source: 'import', reason: 'old CRM' } },
    ]);
  });

  test('a chunk of an import is over once what is scheduled to its numbers has ended', async () => {
    const call = await world.scheduled(party, { calleeNumber: ADA });
    await list.beginImport({ source: 'import' }).add([ADA]);
    expect(await world.reader.find(party.accountId, call.id)).toMatchObject({ endedReason: 'suppressed' });
  });

  test('ends what is scheduled to the numbers, and announces it', async () => {
    const call = await world.scheduled(party, { calleeNumber: ADA });
    const announced = new Promise<readonly string[]>((resolve) => {
      void listOf(world.database, party.accountId, { onCommitted: resolve }).add({ numbers: [ADA], source: 'api' });
    });
    expect(await announced).toEqual([call.id]);
    expect(await world.reader.find(party.accountId, call.id)).toMatchObject({
      status: 'ended',
      endedReason: 'suppressed',
    });
  });
});

describe('removing an entry', () => {
  test('lets the number be called again, keeps the row, and is audited', async () => {
    await add(list, [ADA]);
    const { id } = await entryOf(list, ADA);
    expect(await list.remove({ id, reason: 'a mistake' })).toMatchObject({
      kind: 'removed',
      suppression: { number: ADA },
    });
    expect(await list.check([ADA])).toEqual([{ number: ADA, by: null, suppression: null }]);
    expect(await countsOf(world.database, party.accountId)).toEqual({ counted: 0, stored: 0 });
    const rows = await world.database.side.$queryRaw`
      SELECT removed_by, removal_reason FROM suppressions WHERE id = ${id}::uuid AND removed_at >= created_at`;
    expect(rows).toEqual([{ removed_by: 'user:kim', removal_reason: 'a mistake' }]);
    const data = { account_id: party.accountId, reason: 'a mistake' };
    expect(await auditOf(world.database, id)).toEqual([{ actor: 'user:kim', action: 'suppression.remove', data }]);
    expect(await list.remove({ id, reason: 'again' })).toEqual({ kind: 'not_found' });
    expect(await add(list, [ADA])).toEqual({ kind: 'added', added: 1 });
  });

  test('an opt-out stands for the account, and the operator lifts it', async () => {
    const call = await world.queued(party);
    const optOut = await list.optOutCall({ callId: call.id, source: 'api' });
    invariant(optOut, 'the call is the account’s own');
    expect(await list.remove({ id: optOut.id, reason: 'please' })).toEqual({ kind: 'opt_out_stands' });
    const operator = createAdministration(world.database, { actor: 'ops' }).suppressionsOf(party.accountId);
    expect((await operator.remove({ id: optOut.id, reason: 'asked to be called' })).kind).toBe('removed');
    expect(await countsOf(world.database, party.accountId)).toEqual({ counted: 0, stored: 0 });
    expect((await auditOf(world.database, optOut.id)).map(({ actor, action }) => [actor, action])).toEqual([
      ['user:kim', 'suppression.opt_out'],
      ['ops', 'suppression.remove'],
    ]);
  });

  test('beside adds of the same number, the count of entries stays exact', async () => {
    await add(list, [ADA]);
    for (let round = 0; round < 10; round += 1) {
      const { id } = await entryOf(list, ADA);
      const [removed, again] = await Promise.all([
        list.remove({ id, reason: 'x' }),
        list.remove({ id, reason: 'x' }),
        add(list, [ADA, BEN]),
      ]);
      expect([removed.kind, again.kind].toSorted()).toEqual(['not_found', 'removed']);
      await add(list, [ADA]);
      expect(await countsOf(world.database, party.accountId)).toEqual({ counted: 2, stored: 2 });
    }
  });
});

describe('an entry of another account', () => {
  let theirs: SuppressionId;
  beforeEach(async () => {
    await add(foreign, [ADA]);
    theirs = (await entryOf(foreign, ADA)).id;
  });

  test('is neither listed, found, checked nor removed', async () => {
    expect(await numbersOf(list)).toEqual([]);
    expect(await list.find([ADA])).toEqual([]);
    expect(await list.check([ADA])).toEqual([{ number: ADA, by: null, suppression: null }]);
    expect(await list.remove({ id: theirs, reason: 'x' })).toEqual({ kind: 'not_found' });
    expect(await list.remove({ id: suppressionIdSchema.parse(randomUUID()), reason: 'x' })).toEqual({
      kind: 'not_found',
    });
    expect(await numbersOf(foreign)).toEqual([ADA]);
  });

  test('does not keep the account from adding the number', async () => {
    expect(await add(list, [ADA])).toEqual({ kind: 'added', added: 1 });
  });
});

test('pages go on where the one before ended, newest first, whatever the kind', async () => {
  const call = await world.queued(party, { calleeNumber: BEN });
  await add(list, numbersFrom(4, 12_025_552_000));
  await list.optOutCall({ callId: call.id, source: 'dashboard', reason: 'stop' });
  await add(list, numbersFrom(2, 12_025_553_000));
  const whole = (await list.page({ after: null, limit: 100 })).suppressions;
  expect(whole.map(({ kind }) => kind)).toEqual([
    'manual',
    'manual',
    'opt_out',
    'manual',
    'manual',
    'manual',
    'manual',
  ]);
  const paged = [];
  for (let after = null; ;) {
    const { suppressions, hasMore } = await list.page({ after, limit: 3 });
    paged.push(...suppressions);
    after = suppressions.at(-1) ?? null;
    if (!hasMore) break;
  }
  expect(paged).toEqual(whole);
  expect((await list.page({ after: null, limit: 9, kind: 'opt_out' })).suppressions).toMatchObject([{ number: BEN }]);
  const ofNumber = await list.page({ after: null, limit: 9, number: e164Schema.parse('+12025552001') });
  expect(ofNumber.suppressions.map(({ number }) => number)).toEqual(['+12025552001']);
});
