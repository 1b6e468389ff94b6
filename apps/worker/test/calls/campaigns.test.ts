import { join } from 'node:path';
import { e164Schema } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';
import { dialsIn, outcomesOf, ownCampaigns, readCampaign, startWalk, untilState } from './campaign-stage.ts';

const QUIET = { OUTDIAL_SIMULATED_MEDIA: 'off' };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

/** By the last two digits of the test number. Other numbers are unassigned. Without sound only its maximum duration ends a talk. */
const OUTCOMES = {
  '00': ['max_duration_reached', 1],
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

const numberTo = (digits: string) => e164Schema.parse(`+120255501${digits}`);
const start = (digits: readonly string[], retryAfterSeconds?: number) =>
  startWalk(stage, {
    numbers: digits.map(numberTo),
    maxAttempts: 2,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    maxConcurrent: 4,
    maxDurationSeconds: 5,
    ringTimeoutSeconds: 5,
  });

test('a campaign calls each contact, retries those that ask for it, and is completed with what became of each', async () => {
  const journal = join(stage.dataDir, 'network.jsonl');
  await stage.startWorker({ ...QUIET, OUTDIAL_SIMULATED_JOURNAL: journal });
  const id = await start(Object.keys(OUTCOMES));
  await untilState(stage, id, 'completed');
  const expected = new Map(Object.entries(OUTCOMES).map(([digits, outcome]) => [numberTo(digits), outcome]));
  expect(await outcomesOf(stage, id)).toEqual(expected);
  // By the far end's own journal, no telephone was called more often than its contact was tried.
  expect(await dialsIn(journal)).toEqual(new Map([...expected].map(([number, [, attempts]]) => [number, attempts])));
  const campaign = await readCampaign(stage, id);
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
    .poll(async () => (await readCampaign(stage, id)).byReason.find(({ reason }) => reason === 'busy'))
    .toBeDefined();
  await ownCampaigns(stage).changeState(id, { kind: 'cancel' });
  await untilState(stage, id, 'cancelled');
  const waiting = await stage.database.side.$queryRaw`
    SELECT FROM call_schedules WHERE campaign_id = ${id}::uuid AND is_waiting`;
  expect(waiting).toEqual([]);
});
