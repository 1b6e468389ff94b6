import { randomUUID } from 'node:crypto';
import { campaignIdSchema, CAMPAIGN_LIMITS, type CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { numbersFrom } from '../../test/suppressions.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { findUpload, readUploadErrors } from './read-uploads.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';
import { giveUpUploads, removeSomeFailed } from './sweep-uploads.ts';
import { beginUpload, type Upload, type UploadBatch } from './uploads.ts';

/** A busy machine takes longer than the five seconds that a transaction has otherwise. */
const PATIENT = { timeout: 60_000 };

let world: World;
let party: Party;
let campaignId: CampaignId;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
  campaignId = await campaignIn('running');
});

async function campaignIn(state: string): Promise<CampaignId> {
  const id = campaignIdSchema.parse(randomUUID());
  const { side } = world.database;
  await side.$executeRaw`
    INSERT INTO campaigns (id, account_id, name, state, agent_id, agent_version, caller_number, columns, created_by,
      max_duration_seconds, ring_timeout_seconds)
    VALUES (${id}::uuid, ${party.accountId}::uuid, 'Autumn', ${state}, ${party.agentId}::uuid, 1, '+12025550100', '{}', 'test', 600, 30)`;
  await side.$executeRaw`INSERT INTO campaign_lanes (campaign_id) VALUES (${id}::uuid)`;
  return id;
}

const context = () => ({ database: world.database, accountId: party.accountId, actor: 'user:kim' });
const begin = () => beginUpload(context(), campaignId, { fileName: 'autumn.csv' });

async function removeAll(): Promise<void> {
  while (await removeSomeFailed(world.database, campaignId));
}

async function begun(): Promise<Upload> {
  const outcome = await begin();
  invariant(outcome.kind === 'begun', `it begins: ${outcome.kind}`);
  return outcome.upload;
}

/** Lines from `first` on; each has its own number. */
function batchOf(count: number, first = 2): UploadBatch {
  const contacts = numbersFrom(count, 12_025_560_000 + first).map((number, at) => {
    return { line: first + at, number, variables: { name: 'Ada' }, metadata: {}, timeZone: null };
  });
  return { contacts, problems: [], invalid: 0 };
}

const problemsOf = (count: number): UploadBatch => ({
  contacts: [],
  problems: Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    column: 'phone',
    value: '',
    message: 'has no number',
  })),
  invalid: count,
});

async function contactCount(): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM campaign_contacts WHERE campaign_id = ${campaignId}::uuid`;
  return row?.count ?? 0;
}

async function campaignState(): Promise<string | undefined> {
  const [row] = await world.database.side.$queryRaw<{ state: string }[]>`
    SELECT state FROM campaigns WHERE id = ${campaignId}::uuid`;
  return row?.state;
}

const record = (number: number) => findUpload(world.database, { accountId: party.accountId, campaignId, number });

/** Makes calls of the campaign's next contacts, in a turn of the account. */
async function stock(): Promise<number> {
  const [turn] = await world.database.side.$queryRaw<{ epoch: bigint }[]>`
    INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
    VALUES (${party.accountId}::uuid, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '1 minute')
    ON CONFLICT (account_id) DO UPDATE SET epoch = t.epoch + 1, held_until = excluded.held_until
    RETURNING epoch`;
  invariant(turn, 'the account has a turn');
  return world.schedules.stock({ accountId: party.accountId, epoch: Number(turn.epoch), campaignId, limit: 1_000 });
}

/** A query of Prisma begins when it is awaited. */
const move = async () => world.database.side.$queryRaw`SELECT campaign_id::text FROM move_campaigns(100)`;

describe('an upload', () => {
  test('is called once it is ready, and not before', async () => {
    const upload = await begun();
    await upload.add(batchOf(300));
    expect(await stock()).toBe(0);
    expect(await upload.finish({ refuseInvalid: false })).toEqual({ kind: 'ready' });
    expect(await stock()).toBe(300);
    expect(await stock()).toBe(0);
    expect(await record(1)).toMatchObject({
      state: 'ready',
      fileName: 'autumn.csv',
      rows: 300,
      accepted: 300,
      error: null,
    });
  });

  test('counts what it has already as duplicates, of its lines and of others', async () => {
    const first = await begun();
    await first.add(batchOf(10));
    await first.finish({ refuseInvalid: false });
    const second = await begun();
    const { contacts } = batchOf(4, 10);
    const again = contacts.map((contact) => ({ ...contact, line: contact.line + 10 }));
    await second.add({ contacts: [...contacts, ...again], problems: [], invalid: 0 });
    await second.add(problemsOf(3));
    await second.finish({ refuseInvalid: false });
    expect(await record(2)).toMatchObject({ rows: 11, accepted: 2, duplicates: 6, invalid: 3 });
    expect(await contactCount()).toBe(12);
  });

  test('does not count a batch twice whose answer was lost, nor its end', async () => {
    const upload = await begun();
    await upload.add(batchOf(10));
    await world.database.side.$queryRaw`
      SELECT add_upload_batch(${campaignId}::uuid, 1, 10, ${JSON.stringify([{ line: 99, number: '12025559999', variables: {}, metadata: {} }])}::json, '[]', 0, 100)`;
    expect(await upload.add(batchOf(1, 50))).toBe('added');
    await upload.finish({ refuseInvalid: false });
    expect(await upload.finish({ refuseInvalid: false })).toEqual({ kind: 'ready' });
    expect(await record(1)).toMatchObject({ rows: 11, accepted: 11, duplicates: 0 });
  });

  test.each(['a batch', 'the end'])('of which a standby lost a part is not taken, which %s finds out', async (next) => {
    const upload = await begun();
    await upload.add(batchOf(10));
    // The commit of the second batch was answered, and did not reach the standby that took over.
    await upload.add(batchOf(10, 20));
    await world.database.side.$executeRaw`
      DELETE FROM campaign_contacts WHERE campaign_id = ${campaignId}::uuid AND line >= 20`;
    await world.database.side.$executeRaw`
      UPDATE campaign_uploads SET rows = 10, accepted = 10 WHERE campaign_id = ${campaignId}::uuid`;
    if (next === 'a batch') expect(await upload.add(batchOf(10, 40))).toBe('lost');
    else expect(await upload.finish({ refuseInvalid: false })).toEqual({ kind: 'lost' });
    expect([await contactCount(), await stock()]).toEqual([10, 0]);
  });

  test('of five begun together is one', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(begin));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['begun', ...Array(4).fill('upload_in_progress')]);
  });

  test('does not begin for a campaign that is over, or another account’s', async () => {
    const others = await beginUpload({ ...context(), accountId: (await world.party()).accountId }, campaignId, {
      fileName: null,
    });
    expect(others).toEqual({ kind: 'not_found' });
    await setState('cancelling');
    expect(await begin()).toEqual({ kind: 'campaign_state', state: 'cancelling' });
  });

  test('keeps no more than 100,000 problems, by line', async () => {
    const upload = await begun();
    expect(await upload.add(problemsOf(CAMPAIGN_LIMITS.uploadErrors + 1))).toBe('added');
    expect(
      await upload.add({ ...problemsOf(1), problems: [{ line: 999_999, column: 'a', value: '', message: 'late' }] }),
    ).toBe('added');
    const page = { campaignId, number: 1 };
    const after = { line: CAMPAIGN_LIMITS.uploadErrors, column: 'phone' };
    expect(await readUploadErrors(world.database, page, { after, limit: 10 })).toMatchObject([{ line: 100_001 }]);
    expect(await readUploadErrors(world.database, page, { after: null, limit: 2 })).toMatchObject([
      { line: 2 },
      { line: 3 },
    ]);
    expect(await record(1)).toMatchObject({ rows: 100_002, invalid: 100_002 });
  });

  test('keeps its problems for a month, and its counts for good', async () => {
    const [upload, sweep] = [await begun(), createCampaignSweepStore(world.database)];
    await upload.add({ ...problemsOf(20), contacts: batchOf(10).contacts });
    await upload.finish({ refuseInvalid: false });
    const problems = () =>
      readUploadErrors(world.database, { campaignId, number: 1 }, { after: null, limit: 100 }).then(
        ({ length }) => length,
      );
    const endedBefore = (days: number) =>
      world.database.side.$executeRaw`
        UPDATE campaign_uploads SET ended_at = clock_timestamp() - make_interval(days => ${days}::int)
        WHERE campaign_id = ${campaignId}::uuid`;
    await endedBefore(29);
    expect([await sweep.removeOldErrors(), await problems()]).toEqual([false, 20]);
    await endedBefore(31);
    const [row] = await world.database.side.$queryRaw<{ removed: number }[]>`
      SELECT remove_old_upload_errors(interval '30 days', 15) AS removed`;
    expect([row?.removed, await problems()]).toEqual([16, 5]);
    while (await sweep.removeOldErrors());
    expect([await problems(), await record(1)]).toMatchObject([0, { accepted: 10, invalid: 20 }]);
  });

  test('fails whole with one line that is no contact, if it is to', async () => {
    const upload = await begun();
    await upload.add(batchOf(10));
    await upload.add(problemsOf(1));
    expect(await upload.finish({ refuseInvalid: true })).toEqual({ kind: 'invalid' });
    await removeAll();
    expect([await contactCount(), await stock()]).toEqual([0, 0]);
    expect(await record(1)).toMatchObject({
      state: 'failed',
      accepted: 0,
      invalid: 1,
      error: '1 line is no contact.',
    });
  });

  test('ends at a million contacts of the campaign', async () => {
    const first = await begun();
    await first.finish({ refuseInvalid: false });
    await world.database.side.$executeRaw`
      UPDATE campaigns SET contact_count = 999990 WHERE id = ${campaignId}::uuid`;
    const upload = await begun();
    expect(await upload.add(batchOf(10))).toBe('added');
    expect(await upload.add(batchOf(1, 50))).toBe('too_many_contacts');
    expect(await upload.add(batchOf(1, 60))).toBe('over');
    expect(await record(2)).toMatchObject({
      state: 'failed',
      error: 'The campaign would have more than 1000000 contacts.',
    });
  });
});

describe('an upload that breaks off', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'after %i tenths leaves nothing, and the next is called whole',
    async (tenths) => {
      const cut = await begun();
      for (let part = 0; part < tenths; part += 1) await cut.add(batchOf(20, 2 + 20 * part));
      await cut.fail('The connection broke off.');
      expect(await stock()).toBe(0);
      if (tenths > 0) expect(await begin()).toEqual({ kind: 'removing' });
      await removeAll();
      expect(await contactCount()).toBe(0);
      const next = await begun();
      for (let part = 0; part < 10; part += 1) await next.add(batchOf(20, 2 + 20 * part));
      expect(await next.finish({ refuseInvalid: false })).toEqual({ kind: 'ready' });
      expect([await stock(), await contactCount()]).toEqual([200, 200]);
      expect(await record(1)).toMatchObject({ state: 'failed', accepted: 0, error: 'The connection broke off.' });
    },
  );

  test('is swept after ten minutes; what comes later is not added, and leaves no orphans', async () => {
    const upload = await begun();
    await upload.add(batchOf(30));
    expect(await giveUpUploads(world.database)).toBe(0);
    await world.database.side.$executeRaw`
      UPDATE campaign_uploads SET moved_at = clock_timestamp() - interval '11 minutes' WHERE campaign_id = ${campaignId}::uuid`;
    expect(await giveUpUploads(world.database)).toBe(1);
    while (await removeSomeFailed(world.database));
    expect(await upload.add(batchOf(30, 100))).toBe('over');
    expect(await upload.finish({ refuseInvalid: false })).toEqual({ kind: 'over' });
    await upload.fail('later');
    expect([await contactCount(), await stock()]).toEqual([0, 0]);
    expect((await record(1))?.error).toBe('Nothing came for ten minutes.');
  });

  test('owners get a notice of it unless its sender has an answer, once a day for a campaign', async () => {
    const noticed = () => world.database.side.$queryRaw`
      SELECT kind, data FROM account_notices WHERE account_id = ${party.accountId}::uuid`;
    await (await begun()).fail('The file has no header.');
    expect(await noticed()).toEqual([]);
    const cut = await begun();
    await cut.fail('The connection broke off.', { isUnanswered: true });
    await cut.fail('The connection broke off.', { isUnanswered: true });
    await begun();
    await world.database.side.$executeRaw`
      UPDATE campaign_uploads SET moved_at = clock_timestamp() - interval '11 minutes' WHERE campaign_id = ${campaignId}::uuid`;
    expect(await giveUpUploads(world.database)).toBe(1);
    expect(await noticed()).toMatchObject([
      { kind: 'campaign_upload_failed', data: { campaign_id: campaignId, name: 'Autumn', upload: 2 } },
    ]);
    await world.database.side.$executeRaw`
      UPDATE account_notices SET created_at = clock_timestamp() - interval '25 hours' WHERE account_id = ${party.accountId}::uuid`;
    await begun();
    await world.database.side.$executeRaw`
      UPDATE campaign_uploads SET moved_at = clock_timestamp() - interval '11 minutes' WHERE campaign_id = ${campaignId}::uuid`;
    expect(await giveUpUploads(world.database)).toBe(1);
    expect(await noticed()).toHaveLength(2);
  });

  test('is not swept while a batch of it is added', async () => {
    const upload = await begun();
    await world.database.side.$executeRaw`
      UPDATE campaign_uploads SET moved_at = clock_timestamp() - interval '11 minutes' WHERE campaign_id = ${campaignId}::uuid`;
    await world.database.side.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT add_upload_batch(${campaignId}::uuid, 1, 0, '[]', '[]', 1, 100)`;
      expect(await giveUpUploads(world.database)).toBe(0);
    }, PATIENT);
    expect(await giveUpUploads(world.database)).toBe(0);
    expect(await upload.finish({ refuseInvalid: false })).toEqual({ kind: 'ready' });
  });

  test('is removed in steps of a bound', async () => {
    const upload = await begun();
    await upload.add(batchOf(1_000));
    await upload.fail('cut');
    const [row] = await world.database.side.$queryRaw<{ removed: number }[]>`
      SELECT remove_failed_contacts(${campaignId}::uuid, 300) AS removed`;
    expect([row?.removed, await contactCount()]).toEqual([301, 700]);
    await removeAll();
    expect(await contactCount()).toBe(0);
  });
});

describe('a campaign that is running', () => {
  test('does not complete beside an upload that becomes ready, and dials it', async () => {
    const upload = await begun();
    await upload.add(batchOf(5));
    await world.database.side.$executeRaw`DELETE FROM dial_turns WHERE account_id = ${party.accountId}::uuid`;
    await move();
    await world.database.side.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT outcome FROM finish_upload(${campaignId}::uuid, 1, 0, 'test', false)`;
      await move();
    }, PATIENT);
    await move();
    expect(await campaignState()).toBe('running');
    const [turn] = await world.database.side.$queryRaw<{ due: boolean }[]>`
      SELECT due_at <= clock_timestamp() AS due FROM dial_turns WHERE account_id = ${party.accountId}::uuid`;
    expect([turn, await stock()]).toEqual([{ due: true }, 5]);
  });

  test('does not complete with a contact that became ready while it was looked at', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const upload = await begun();
      await upload.add(batchOf(1, round));
      await Promise.all([move(), upload.finish({ refuseInvalid: false }), move(), move()]);
      expect([await campaignState(), await stock()]).toEqual(['running', 1]);
      await world.database.side.$executeRaw`DELETE FROM call_schedules WHERE campaign_id = ${campaignId}::uuid`;
    }
    await move();
    expect(await campaignState()).toBe('completed');
  });

  test('that is over when the last line has come fails the upload', async () => {
    const upload = await begun();
    await upload.add(batchOf(5));
    const finishing = await world.database.side.$transaction(async (transaction) => {
      await transaction.$executeRaw`
        UPDATE campaigns SET state = 'cancelling' WHERE id = ${campaignId}::uuid`;
      return { finished: upload.finish({ refuseInvalid: false }) };
    }, PATIENT);
    expect(await finishing.finished).toEqual({ kind: 'campaign_state', state: 'cancelling' });
    expect(await record(1)).toMatchObject({ state: 'failed', error: 'The campaign is over.' });
  });
});

const setState = (state: string) =>
  world.database.side.$executeRaw`UPDATE campaigns SET state = ${state} WHERE id = ${campaignId}::uuid`;
