import type { CallId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openModelNetwork } from './model-network.ts';
import { GENERATED, type Scenario } from './scenario.ts';

/** A lease, a sweep, and the uptime that Postgres needs before a take-over. */
const LIMIT_MS = 300_000;

const scenarioTo = (nth: number, introduction: string): Scenario => ({
  family: 'realtime',
  persona: 'friendly',
  script: {
    opening: { say: GENERATED },
    // Whatever the callee says: on a busy machine it is not always understood.
    rules: [{ when: /./, tool: { name: 'transfer', arguments: { destination: 'Reception' } } }],
    otherwise: { say: 'May I connect you?' },
  },
  settings: {
    tools: [
      {
        type: 'transfer_call',
        mode: 'warm',
        name: 'transfer',
        description: 'Connects the callee with a colleague.',
        destinations: [
          { name: 'Reception', to_number: `+120255501${nth}`, description: 'The callee has a question.', introduction },
        ],
      },
    ],
  },
});

const SHORT = 'A caller for you.';
const LONG = `${SHORT} ${'It is about an appointment that was made for the end of the month. '.repeat(5)}`.trim();
const idle = { ...scenarioTo(0, SHORT) };
const SLOW: Scenario = { ...idle, persona: 'slow' };
const ANSWERS: Scenario = { ...idle };
const TALKS: Scenario = { ...idle };
const RINGING = scenarioTo(10, SHORT);
const INTRODUCING = scenarioTo(11, LONG);
const CONNECTED = scenarioTo(12, SHORT);
/** Their numbers end in 00, 01 and so on: destinations begin at 10. */
const FILL = Array.from({ length: 7 }, () => ({ ...idle }));
const NEVER_DIALED: Scenario = { ...idle };
const LEFT_ALONE: Scenario = { ...idle };
const RECORDED = scenarioTo(13, SHORT);
const LEAVING = scenarioTo(14, SHORT);
const ALL = [
  RINGING,
  INTRODUCING,
  CONNECTED,
  ...FILL,
  SLOW,
  ANSWERS,
  TALKS,
  NEVER_DIALED,
  LEFT_ALONE,
  RECORDED,
  LEAVING,
];

/** By the column of a second leg that is written. */
const LOCKS = { dialog: 4_711, connected_at: 4_712 };

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
beforeAll(async () => {
  network = await openModelNetwork(ALL, { timings: QUICK_LEASES });
  await holdWrites();
}, LIMIT_MS);
afterAll(() => network.close());

/** A worker's first write of the column waits for its lock. */
async function holdWrites(): Promise<void> {
  const { side } = network.stage.database;
  for (const [column, lock] of Object.entries(LOCKS)) {
    await side.$executeRawUnsafe(`CREATE FUNCTION hold_${column}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${lock}); RETURN NEW; END $$`);
    await side.$executeRawUnsafe(`CREATE TRIGGER hold_${column} BEFORE UPDATE ON transfer_legs FOR EACH ROW
      WHEN (OLD.${column} IS NULL AND NEW.${column} IS NOT NULL) EXECUTE FUNCTION hold_${column}()`);
  }
}

/** The worker of the call dies while it waits for this write, which Postgres completes afterwards. */
async function killedAtWrite(scenario: Scenario, column: keyof typeof LOCKS): Promise<CallId> {
  const { database } = network.stage;
  const killed = await database.side.$transaction(
    async (holder) => {
      await holder.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${LOCKS[column]})`);
      const callId = await network.begin(scenario);
      const isHeld = async () => {
        const [row] = await holder.$queryRawUnsafe<{ isHeld: boolean }[]>(
          `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCKS[column]} AND NOT granted) AS "isHeld"`,
        );
        return row?.isHeld;
      };
      await expect.poll(isHeld, { timeout: 60_000, interval: 50 }).toBe(true);
      await network.killWorker();
      return callId;
    },
    { timeout: LIMIT_MS },
  );
  await network.startWorker();
  return killed;
}

const hasSeen = async (destination: Scenario, event: string) =>
  (await network.seenByCallee(destination)).some((line) => line.event === event);
async function isConnected(): Promise<boolean> {
  const [row] = await network.stage.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM transfer_legs WHERE connected_at IS NOT NULL AND settled_at IS NULL`;
  return row?.count === 1;
}

test.each([
  ['rings', RINGING, SLOW, () => hasSeen(SLOW, 'ringing')],
  ['hears the introduction', INTRODUCING, ANSWERS, () => hasSeen(ANSWERS, 'answered')],
  ['talks to the callee', CONNECTED, TALKS, isConnected],
] as const)(
  'a worker is killed while the destination %s: it was dialed once, both legs are hung up, and the call is charged once',
  { timeout: LIMIT_MS },
  async (_, scenario, destination, happens) => {
    const { stage } = network;
    const callId = await network.begin(scenario);
    await expect.poll(happens, { timeout: 60_000, interval: 50 }).toBe(true);
    await network.replaceWorker();
    const call = await stage.untilEnded(callId);
    expect(call.endedReason).toBe('worker_lost');
    const [leg, ...others] = call.legs ?? [];
    expect(others).toEqual([]);
    expect(leg?.result).toBe('lost');
    expect(call.costMicros).toBeGreaterThan(leg?.costMicros ?? 0n);
    for (const called of [scenario, destination]) {
      const seen = (await network.seenByCallee(called)).filter(({ event }) => event === 'invite' || event === 'ended');
      expect(seen).toMatchObject([{ event: 'invite' }, { event: 'ended', by: 'caller' }]);
    }
    await expect.poll(() => audit(stage), { timeout: 20_000 }).toEqual(AT_REST);
  },
);

test(
  'a worker is killed between the record of its second leg and the INVITE: the destination is not dialed, and costs nothing',
  { timeout: LIMIT_MS },
  async () => {
    const { stage } = network;
    const call = await stage.untilEnded(await killedAtWrite(RECORDED, 'dialog'));
    expect(call.endedReason).toBe('worker_lost');
    // `not_dialed`: the next worker came before Postgres had completed the write.
    const result = expect.stringMatching(/^(lost|not_dialed)$/);
    expect(call.legs).toMatchObject([{ result, answeredAtMs: null, billableSeconds: 0, costMicros: 0n }]);
    expect(call.costMicros).toBeGreaterThan(0n);
    expect(await network.seenByCallee(NEVER_DIALED)).toEqual([]);
    const seen = (await network.seenByCallee(RECORDED)).filter(({ event }) => event === 'invite' || event === 'ended');
    expect(seen).toMatchObject([{ event: 'invite' }, { event: 'ended', by: 'caller' }]);
    await expect.poll(() => audit(stage), { timeout: 20_000 }).toEqual(AT_REST);
  },
);

test(
  'a worker is killed while its agent leaves: the destination was dialed once, both legs are hung up, and each is charged once',
  { timeout: LIMIT_MS },
  async () => {
    const { stage } = network;
    const call = await stage.untilEnded(await killedAtWrite(LEAVING, 'connected_at'));
    expect(call.endedReason).toBe('worker_lost');
    const [leg, ...others] = call.legs ?? [];
    expect(others).toEqual([]);
    expect(leg).toMatchObject({ result: 'lost', answeredAtMs: expect.any(Number) });
    expect(leg?.costMicros).toBeGreaterThan(0n);
    expect(call.costMicros).toBeGreaterThan(leg?.costMicros ?? 0n);
    for (const called of [LEAVING, LEFT_ALONE]) {
      const seen = (await network.seenByCallee(called)).filter(({ event }) => event === 'invite' || event === 'ended');
      expect(seen).toMatchObject([{ event: 'invite' }, { event: 'ended', by: 'caller' }]);
    }
    await expect.poll(() => audit(stage), { timeout: 20_000 }).toEqual(AT_REST);
  },
);
