import { randomUUID } from 'node:crypto';
import { campaignIdSchema, e164Schema, type CampaignState } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { openOwnAccount, type OwnCampaigns } from '@outdial/persistence';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

const QUIET = { OUTDIAL_SIMULATED_MEDIA: 'off' };
const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };

let stage: Stage;
let campaigns: OwnCampaigns;
beforeAll(async () => {
  stage = await openStage();
  const { database, accountId } = stage;
  campaigns = openOwnAccount(database, { accountId, actor: 'user:kim', bounds: BOUNDS }).campaigns;
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

/** By the last two digits of the test number. Other numbers are unassigned. */
const OUTCOMES = {
  '56': ['invalid_destination', 1],
  '01': ['busy', 2],
  '02': ['no_answer', 2],
  '03': ['declined', 1],
  '04': ['invalid_destination', 1],
  '05': ['callee_hangup', 1],
  '50': ['invalid_destination', 1],
  '51': ['invalid_destination', 1],
  '52': ['invalid_destination', 1],
  '53': ['invalid_destination', 1],
  '54': ['invalid_destination', 1],
  '55': ['invalid_destination', 1],
} as const;

const CALLER = e164Schema.parse('+12025550199');

const contactTo = (digits: string) => ({
  number: e164Schema.parse(`+120255501${digits}`),
  variables: { name: 'Ada' },
  metadata: {},
  timeZone: null,
});

async function start(numbers: readonly string[], retryAfterSeconds = 1) {
  const id = campaignIdSchema.parse(randomUUID());
  await campaigns.create(id, {
    name: 'Walk',
    agentId: stage.agentId,
    callerNumber: null,
    columns: {},
    defaultCountry: null,
    // Shorter than a request may ask for: the test waits for it.
    retry: { max_attempts: 2, on: ['busy', 'no_answer'], after_seconds: [retryAfterSeconds] },
    callsPerSecond: null,
    maxConcurrent: 4,
    weight: 10,
    window: null,
    startsAtMs: null,
    endsAtMs: null,
    budgetMicros: null,
    maxDurationSeconds: null,
    ringTimeoutSeconds: null,
    webhookUrl: null,
    metadata: {},
  });
  await campaigns.addContacts(id, numbers.map(contactTo));
  const plan = { agentVersion: 1, callerNumber: CALLER, maxDurationSeconds: 5, ringTimeoutSeconds: 5 };
  expect(await campaigns.changeState(id, { kind: 'start', plan })).toMatchObject({ kind: 'changed', state: 'running' });
  return id;
}

const read = async (id: Awaited<ReturnType<typeof start>>) => {
  const campaign = await campaigns.find(id);
  invariant(campaign, 'the account has it');
  return campaign;
};
const untilState = (id: Awaited<ReturnType<typeof start>>, state: CampaignState) =>
  expect.poll(async () => (await read(id)).state, { timeout: 60_000 }).toBe(state);

test('a campaign calls each contact, retries those that ask for it, and is completed with what became of each', async () => {
  await stage.startWorker(QUIET);
  const id = await start(Object.keys(OUTCOMES));
  await untilState(id, 'completed');
  const { contacts } = await campaigns.contacts(id, { after: null, limit: 100 });
  const became = contacts.map(({ number, endedReason, attempts }) => [number.slice(-2), [endedReason, attempts]]);
  expect(Object.fromEntries(became)).toEqual(OUTCOMES);
  const campaign = await read(id);
  expect(campaign).toMatchObject({ contacts: 12, passed: 12, open: 0 });
  const recount = await stage.database.side.$queryRaw`
    SELECT c.ended_reason AS reason, s.next_call IS NULL AS "isFinal", count(*)::int AS calls,
      count(c.answered_at)::int AS answered, sum(c.cost_micros)::int AS "costMicros"
    FROM calls c, LATERAL (SELECT (SELECT n.call_id FROM call_schedules n WHERE n.retry_of = c.id) AS next_call) s
    WHERE c.campaign_id = ${id}::uuid GROUP BY 1, 2 ORDER BY 1, 2`;
  expect(campaign.byReason).toEqual(recount);
  const notices = await stage.database.side.$queryRaw`
    SELECT kind, data ->> 'name' AS name FROM account_notices WHERE data ->> 'campaign_id' = ${id}`;
  expect(notices).toEqual([{ kind: 'campaign_completed', name: 'Walk' }]);
});

test('a cancelled campaign dials nothing more, and what it had scheduled ends `cancelled`', async () => {
  const id = await start(['01', '60', '61'], 60);
  await stage.startWorker(QUIET);
  await expect
    .poll(async () => (await read(id)).byReason.find(({ reason }) => reason === 'busy'), { timeout: 30_000 })
    .toBeDefined();
  await campaigns.changeState(id, { kind: 'cancel' });
  await untilState(id, 'cancelled');
  const waiting = await stage.database.side.$queryRaw`
    SELECT FROM call_schedules WHERE campaign_id = ${id}::uuid AND is_waiting`;
  expect(waiting).toEqual([]);
});
