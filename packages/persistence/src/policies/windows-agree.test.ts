import { OPEN_POLICY, type CallingPolicySettings, type Weekday } from '@outdial/contracts';
import { windowAt, type CalleePlace, type PoliciesInForce } from '@outdial/policies';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setFloor } from '../../test/policies.ts';
import { createWorld, cycle, type World } from '../../test/world.ts';

const SCENARIOS = 8;
const POLICIES = 8;
const CASES = 250;

let world: World;
let accountIds: readonly string[];
beforeAll(async () => {
  world = await createWorld();
  accountIds = await Promise.all(Array.from({ length: POLICIES }, async () => (await world.party()).accountId));
});
afterAll(() => world.close());

/** Whole hours, half hours and others; clocks that change at other times, by half an hour, and never. */
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Phoenix',
  'America/St_Johns',
  'America/Santiago',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
];
const REGIONS = [['US', 'US-*'], ['US', 'US-FL'], ['US', 'US-NY', 'US-FL'], ['GB'], ['DE'], []];
const ROWS = ['default', 'US', 'US-FL', 'US-NY', 'GB'];
/** When clocks change, and the ends of years. */
const MOMENTS = [
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
  '2026-04-05T03:00Z',
  '2026-09-06T04:00Z',
  '2027-01-01T00:00Z',
].map((text) => Date.parse(text));
const DAY_MS = 86_400_000;
const TIMES = [
  '00:00',
  '00:30',
  '01:00',
  '01:59',
  '02:00',
  '02:30',
  '03:00',
  '08:00',
  '12:00',
  '20:30',
  '23:59',
  '24:00',
];
const DATES = MOMENTS.flatMap((ms) =>
  [-1, 0, 1].map((days) => new Date(ms + days * DAY_MS).toISOString().slice(0, 10)),
);

const day = fc.subarray(TIMES, { minLength: 0, maxLength: 6 }).map((times) => {
  const pairs = times.slice(0, times.length - (times.length % 2));
  return pairs.flatMap((time, nth) => (nth % 2 === 0 ? [`${time}-${pairs[nth + 1]}`] : []));
});
const week = fc.record<Record<Weekday, string[]>>({
  mon: day,
  tue: day,
  wed: day,
  thu: day,
  fri: day,
  sat: day,
  sun: day,
});
const policy: fc.Arbitrary<CallingPolicySettings> = fc.record({
  ...Object.fromEntries(Object.entries(OPEN_POLICY).map(([name, value]) => [name, fc.constant(value)])),
  pack: fc.constant(null),
  windows: fc.dictionary(fc.constantFrom(...ROWS), week, { maxKeys: 3 }),
  closed_days: fc.uniqueArray(fc.constantFrom(...new Set(DATES)), { maxLength: 6 }),
  trust_given_zone: fc.boolean(),
  caps: fc.constant([]),
});
const place: fc.Arbitrary<CalleePlace> = fc.record({
  zones: fc.uniqueArray(fc.constantFrom(...ZONES), { maxLength: 3 }),
  regions: fc.constantFrom(...REGIONS),
  givenZone: fc.option(fc.constantFrom(...ZONES), { freq: 2 }),
  certain: fc.boolean(),
});
const moment = fc.oneof(
  fc.tuple(fc.constantFrom(...MOMENTS), fc.integer({ min: -DAY_MS, max: DAY_MS })).map(([ms, offset]) => ms + offset),
  // On the half hour, or a millisecond before it.
  fc
    .tuple(fc.constantFrom(...MOMENTS), fc.integer({ min: -2_880, max: 2_880 }), fc.integer({ min: -1, max: 0 }))
    .map(([ms, halfHours, before]) => ms + halfHours * 1_800_000 + before),
);
const scenario = fc.record({
  floor: fc.option(policy),
  policies: fc.array(policy, { minLength: POLICIES, maxLength: POLICIES }),
  cases: fc.array(fc.record({ place, moment }), { minLength: CASES, maxLength: CASES }),
});

/** In force from now on, one for each account. */
async function save(policies: readonly CallingPolicySettings[]): Promise<void> {
  const rows = JSON.stringify(policies.map((settings, nth) => ({ id: accountIds[nth], settings })));
  await world.database.side.$executeRaw`
    WITH saved AS (
      INSERT INTO calling_policies (account_id, version, settings, saved_by)
      SELECT r.id, a.policy_version + 1, r.settings, 'test'
      FROM jsonb_to_recordset(${rows}::jsonb) AS r(id uuid, settings jsonb) JOIN accounts a ON a.id = r.id
      RETURNING account_id, version
    )
    UPDATE accounts a SET policy_version = s.version FROM saved s WHERE a.id = s.account_id`;
}

interface Case {
  readonly accountId: string;
  readonly policies: PoliciesInForce;
  readonly place: CalleePlace;
  readonly moment: number;
}

async function closedInPostgres(cases: readonly Case[]): Promise<readonly boolean[]> {
  const rows = JSON.stringify(
    cases.map(({ accountId, place: { zones, regions, givenZone }, moment: at }, nth) => ({
      nth,
      account: accountId,
      zones,
      regions,
      given: givenZone,
      at,
    })),
  );
  const answers = await world.database.side.$queryRaw<{ closed: boolean }[]>`
    SELECT EXISTS (SELECT FROM closed_windows_of(r.account, r.zones, r.regions, r.given, from_epoch_ms(r.at))) AS closed
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS r(nth int, account uuid, zones text[], regions text[], given text, at bigint) ORDER BY r.nth`;
  return answers.map(({ closed }) => closed);
}

test(`Postgres and @outdial/policies say the same of ${SCENARIOS * CASES} places and moments under any policies`, async () => {
  const seen = { open: 0, closed: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ floor, policies, cases }) => {
      await setFloor(world.database, floor);
      await save(policies);
      const asked = cases.map((each, nth) => ({
        ...each,
        accountId: cycle(accountIds, nth),
        policies: { policy: cycle(policies, nth), floor },
      }));
      const closed = await closedInPostgres(asked);
      asked.forEach((each, nth) => {
        const window = windowAt(each.policies, each.place, each.moment);
        seen[window.kind] += 1;
        const at = new Date(each.moment).toISOString();
        expect({ at, ...each, kind: closed[nth] === true ? 'closed' : 'open' }).toEqual({
          at,
          ...each,
          kind: window.kind,
        });
      });
    }),
    { numRuns: SCENARIOS, endOnFailure: true },
  );
  await setFloor(world.database, null);
  // Neither answer is rare: the comparison says something.
  expect(Math.min(seen.open, seen.closed)).toBeGreaterThan((SCENARIOS * CASES) / 20);
});
