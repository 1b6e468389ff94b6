import { randomUUID } from 'node:crypto';
import { campaignProgressSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, UNKNOWN_ID, withId, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
let account: string;
beforeAll(async () => {
  driver = await openAdminDriver();
});
beforeEach(async () => {
  account = await driver.createAccount();
});
afterAll(() => driver.close());

/** A campaign that runs, with one contact that has no call yet. */
async function plantCampaign(): Promise<string> {
  const settings = '{"name":"A","first_message":"Hi."}';
  const created = await driver.json(['agents', 'create', '--account', account, '--settings', '-'], settings);
  const { agent } = z.object({ agent: withId }).parse(created);
  const id = randomUUID();
  await driver.database.side.$executeRaw`
    INSERT INTO campaigns (id, account_id, state, started_at, agent_version, caller_number, max_duration_seconds,
      ring_timeout_seconds, created_by, name, agent_id, columns, weight, metadata, contact_count)
    VALUES (${id}::uuid, ${account}::uuid, 'running', now(), 1, '+12025550199', 60, 30, 'key:k', 'Reminders', ${agent.id}::uuid, '{}', 10, '{}', 1)`;
  await driver.database.side.$executeRaw`INSERT INTO campaign_lanes (campaign_id) VALUES (${id}::uuid)`;
  await driver.database.side.$executeRaw`
    INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted, duplicates, invalid, ended_at)
    VALUES (${id}::uuid, 1, 'ready', 1, 1, 0, 0, now())`;
  return id;
}
const of = () => ['--account', account];
const stateOf = (id: string, verb: string, ...flags: readonly string[]) =>
  driver.json(['campaigns', verb, id, ...of(), ...flags]);

describe('campaigns', () => {
  test('are listed and shown, paused, resumed and cancelled, and each change is audited', async () => {
    const id = await plantCampaign();
    const running = { id, owner_id: account, name: 'Reminders', state: 'running' };
    expect(await driver.json(['campaigns', 'list', ...of()])).toMatchObject({
      campaigns: [{ ...running, progress: { contacts: 1, remaining: 1, done: 0, open: 0 } }],
    });
    expect(await stateOf(id, 'pause', '--actor', 'alice')).toMatchObject({ campaign: { state: 'paused' } });
    expect(await stateOf(id, 'pause')).toMatchObject({ campaign: { state: 'paused' } });
    expect(await stateOf(id, 'resume')).toMatchObject({ campaign: { state: 'running' } });
    expect(await stateOf(id, 'cancel', '--hang-up')).toMatchObject({ campaign: { state: 'cancelling' } });
    const again = await driver.run(['campaigns', 'resume', id, ...of()]);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('cancelling')]);
    const entries = await driver.database.side.auditEntry.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual(['campaign.pause', 'campaign.resume', 'campaign.cancel']);
    expect(entries[0]?.actor).toBe('alice');
  });

  test('show their progress as the interface does', async () => {
    const id = await plantCampaign();
    await driver.database.side
      .$executeRaw`UPDATE campaign_lanes SET held_by = 'cap', held_since = now() WHERE campaign_id = ${id}::uuid`;
    const shown = async () =>
      z.object({ campaign: z.object({ progress: campaignProgressSchema }) }).parse(await stateOf(id, 'show'));
    expect((await shown()).campaign.progress).toMatchObject({ remaining: 1, not_dialled: 0, held_by: 'cap' });
    await stateOf(id, 'cancel');
    await driver.database.side
      .$executeRaw`UPDATE campaign_lanes SET held_by = 'cap', held_since = now() WHERE campaign_id = ${id}::uuid`;
    expect((await shown()).campaign.progress).toMatchObject({ remaining: 0, not_dialled: 1, held_by: null });
    const text = await driver.run(['campaigns', 'show', id, ...of()]);
    expect(text.stdout).toMatch(/1: 0 done, 0 open, 0 scheduled, 1 not dialed/);
  });

  test('of another account are not found', async () => {
    const id = await plantCampaign();
    const other = await driver.createAccount();
    for (const verb of ['show', 'pause', 'cancel']) {
      const { exitCode, stderr } = await driver.run(['campaigns', verb, id, '--account', other]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`no campaign ${id}`)]);
    }
    expect((await driver.run(['campaigns', 'list', '--account', UNKNOWN_ID])).exitCode).toBe(1);
    expect((await driver.run(['campaigns', 'show', id])).exitCode).toBe(2);
  });
});

test('an account is given another part of its slots for campaigns', async () => {
  const set = await driver.json(['accounts', 'set', account, '--campaign-percent', '60']);
  expect(set).toMatchObject({ account: { id: account, campaign_percent: 60, capacity: 10 } });
  for (const percent of ['0', '101', 'half'])
    expect((await driver.run(['accounts', 'set', account, '--campaign-percent', percent])).exitCode).toBe(2);
  expect((await driver.run(['accounts', 'set', UNKNOWN_ID, '--campaign-percent', '60'])).exitCode).toBe(1);
  const entry = await driver.database.side.auditEntry.findFirst({
    where: { subjectId: account, action: 'account.update' },
  });
  expect(entry?.data).toEqual({ campaign_percent: 60 });
});
