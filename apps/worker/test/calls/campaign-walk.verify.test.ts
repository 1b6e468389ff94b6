import { join } from 'node:path';
import { e164Schema, type E164 } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';
import { dialsIn, outcomesOf, readCampaign, startWalk, untilState } from './campaign-stage.ts';

/** By the last two digits of the test number: how its last call ends, and its attempts. */
const TABLE = {
  '00': ['agent_hangup', 1],
  '01': ['busy', 3],
  '02': ['no_answer', 3],
  '03': ['declined', 1],
  '04': ['invalid_destination', 1],
  '05': ['callee_hangup', 1],
  '06': ['voicemail_reached', 1],
  '07': ['call_screened', 1],
  '08': ['silence_timeout', 1],
  '09': ['carrier_unavailable', 3],
  '10': ['agent_hangup', 1],
  '11': ['agent_hangup', 1],
  '12': ['carrier_unavailable', 3],
  '13': ['agent_hangup', 1],
  '14': ['agent_hangup', 1],
  '15': ['opted_out', 1],
  '16': ['agent_hangup', 1],
  '77': ['invalid_destination', 1],
} as const;

/** Behind each of them the test numbers are answered alike. */
const AREA_CODES = [201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214];
const CONTACTS = 200;
const LIMIT_MS = 600_000;

const expected = new Map<E164, readonly [string, number]>(
  AREA_CODES.flatMap((area) =>
    Object.entries(TABLE).map(([digits, outcome]) => [e164Schema.parse(`+1${area}55501${digits}`), outcome] as const),
  ).slice(0, CONTACTS),
);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ ratePrefix: '1' });
});
afterAll(() => stage.close());

test(
  '200 contacts end as the table says, and each number is dialed exactly as often as it may be',
  async () => {
    const journal = join(stage.dataDir, 'network.jsonl');
    await stage.startWorker({ OUTDIAL_SIMULATED_JOURNAL: journal });
    // Compressed time does not speed up speech synthesis: the agent's speech is made once, before the campaign.
    await stage.untilEnded(await stage.place('+12155550100'));
    const numbers = [...expected.keys()];
    expect(numbers).toHaveLength(CONTACTS);
    const plan = { numbers, maxAttempts: 3, maxConcurrent: 10, maxDurationSeconds: 600, ringTimeoutSeconds: 30 };
    const id = await startWalk(stage, plan);
    await untilState(stage, id, 'completed', LIMIT_MS);
    expect(await outcomesOf(stage, id)).toEqual(expected);
    const dials = new Map(await dialsIn(journal));
    dials.delete(e164Schema.parse('+12155550100'));
    expect(dials).toEqual(new Map([...expected].map(([number, [, attempts]]) => [number, attempts])));
    const { passed, open, byReason } = await readCampaign(stage, id);
    expect([passed, open]).toEqual([CONTACTS, 0]);
    const calls = byReason.reduce((total, each) => total + each.calls, 0);
    expect(calls).toBe([...expected.values()].reduce((total, [, attempts]) => total + attempts, 0));
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);
