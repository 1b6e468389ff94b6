import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { createLogger } from './logger.ts';
import { watchOutages } from './outages.ts';

class StoreError extends Error {}
class LateError extends Error {}

/** A clock that the test moves: `pass` fires what is due, `skip` only moves the time. */
function manualClock(): Clock & { pass(): Promise<void>; skip(ms: number): void } {
  let due: (() => void)[] = [];
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    skip: (ms) => void (nowMs += ms),
    after(_delayMs, callback) {
      due.push(callback);
      return { cancel: () => void (due = due.filter((other) => other !== callback)) };
    },
    async pass() {
      for (const callback of due.splice(0)) callback();
      await settled();
    },
  };
}

/** Lets pending callbacks run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function recordingLogger(level: 'debug' | 'warn' = 'warn') {
  const lines: { readonly level: string; readonly msg: string; readonly reason?: string }[] = [];
  const logger = createLogger({
    name: 'test',
    level,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { logger, lines, said: () => lines.map(({ msg }) => msg) };
}

async function stage(level: 'debug' | 'warn' = 'warn', isUp = true) {
  const { logger, lines, said } = recordingLogger(level);
  const clock = manualClock();
  const store = { isUp };
  let pings = 0;
  const ping = async () => {
    pings += 1;
    if (!store.isUp) throw new StoreError('refused');
  };
  const watch = watchOutages({
    logger,
    clock,
    stores: {
      postgres: {
        messages: { away: 'Postgres is away', back: 'Postgres is back' },
        isAway: (error) => error instanceof StoreError,
        ping,
      },
    },
    mayFollowOutage: (error) => error instanceof LateError,
  });
  await settled();
  const fail = (error: Error = new StoreError('connection lost')) => logger.warn({ err: error }, 'job failed');
  return { logger, clock, store, watch, fail, said, lines, pings: () => pings };
}

/** Its store has been away, and has just come back. */
async function stageAfterOutage() {
  const staged = await stage();
  staged.store.isUp = false;
  staged.fail();
  staged.store.isUp = true;
  await staged.clock.pass();
  return staged;
}

describe('an outage', () => {
  it('is logged once, without a stack, however much fails because of it', async () => {
    const { logger, store, fail, lines } = await stage();
    store.isUp = false;
    for (let attempt = 0; attempt < 1_000; attempt += 1) fail();
    logger.child({ callId: 'c1' }).error({ err: new StoreError('connection lost') }, 'settlement failed');
    expect(lines).toEqual([expect.objectContaining({ msg: 'Postgres is away', reason: 'connection lost' })]);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  it('ends when the store answers, which is logged once; the next outage is logged again', async () => {
    const { clock, store, fail, said } = await stage();
    store.isUp = false;
    fail();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away']);
    store.isUp = true;
    await clock.pass();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away', 'Postgres is back']);
    store.isUp = false;
    fail();
    await settled();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away', 'Postgres is back', 'Postgres is away']);
  });

  it('does not begin again while a store that has just come back refuses for a moment', async () => {
    const { clock, store, fail, said } = await stageAfterOutage();
    store.isUp = false;
    fail();
    await settled();
    store.isUp = true;
    await clock.pass();
    expect(said()).toEqual(['Postgres is away', 'Postgres is back']);
  });

  it('does not begin again with what still fails because of the last one, while the store answers', async () => {
    const { clock, fail, said, pings } = await stageAfterOutage();
    const before = pings();
    for (let attempt = 0; attempt < 3; attempt += 1) fail();
    await settled();
    expect(pings() - before).toBe(1);
    expect(said()).toEqual(['Postgres is away', 'Postgres is back']);
    clock.skip(5_000);
    fail();
    expect(said()).toEqual(['Postgres is away', 'Postgres is back', 'Postgres is away']);
  });

  it('hides no error that has another cause', async () => {
    const { logger, fail, said } = await stage();
    fail();
    logger.error({ err: new Error('a defect') }, 'request failed');
    logger.warn({ callId: 'c1' }, 'call taken over');
    expect(said()).toEqual(['Postgres is away', 'request failed', 'call taken over']);
  });

  it('is recognized in an error that wraps it or aggregates several of it', async () => {
    const { fail, said } = await stage();
    fail(new Error('write failed', { cause: new StoreError('connection lost') }));
    fail(
      new AggregateError(
        [new StoreError('connection refused'), new StoreError('connection refused')],
        'both writes failed',
      ),
    );
    fail(new AggregateError([new StoreError('connection refused'), new LateError()], 'no answer'));
    fail(new AggregateError([new StoreError('connection refused'), new Error('a defect')], 'both writes failed'));
    fail(new AggregateError([], 'nothing'));
    expect(said()).toEqual(['Postgres is away', 'job failed', 'job failed']);
  });

  it('is found without an endless loop when errors are each other’s cause', async () => {
    const { fail, said } = await stage();
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    fail(one);
    expect(said()).toEqual(['job failed']);
  });

  it('is logged in full at debug level', async () => {
    const { fail, lines } = await stage('debug');
    fail();
    fail();
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'warn Postgres is away',
      'debug job failed',
      'debug job failed',
    ]);
  });

  it('is logged with its reason, without the paragraphs around it', async () => {
    const { fail, lines } = await stage();
    fail(new StoreError("\nInvalid `prisma.$queryRaw()` invocation:\n\n\nCan't reach database server"));
    expect(lines[0]?.reason).toBe("Can't reach database server");
  });
});

describe('a starting process', () => {
  it('logs that a store is away only after it has had time to reach it', async () => {
    const { clock, fail, said } = await stage('warn', false);
    fail();
    await clock.pass();
    expect(said()).toEqual([]);
    for (let ping = 0; ping < 5; ping += 1) await clock.pass();
    fail();
    expect(said()).toEqual(['Postgres is away']);
  });

  it('logs nothing about a store that it has reached', async () => {
    const { clock, store, fail, said } = await stage('warn', false);
    fail();
    store.isUp = true;
    await clock.pass();
    expect(said()).toEqual([]);
  });
});

describe('a lost connection', () => {
  it('is no outage while the store answers, and is one when it does not', async () => {
    const { store, watch, said } = await stage();
    watch.suspect('postgres');
    await settled();
    expect(said()).toEqual([]);
    store.isUp = false;
    watch.suspect('postgres');
    await settled();
    expect(said()).toEqual(['Postgres is away']);
  });
});

describe('an exceeded deadline', () => {
  it('is logged if no store is the cause', async () => {
    const { fail, said } = await stage();
    fail(new LateError());
    await settled();
    fail(new LateError());
    expect(said()).toEqual(['job failed', 'job failed']);
  });

  it('is logged once and begins the outage if a store is the cause', async () => {
    const { store, fail, said } = await stage();
    store.isUp = false;
    for (let request = 0; request < 100; request += 1) fail(new LateError());
    await settled();
    fail(new LateError());
    expect(said()).toEqual(['job failed', 'Postgres is away']);
  });

  it('counts as part of an outage that ended less than five seconds before, and of no earlier one', async () => {
    const { clock, fail, said } = await stageAfterOutage();
    clock.skip(4_999);
    fail(new LateError());
    expect(said()).toEqual(['Postgres is away', 'Postgres is back']);
    await settled();
    clock.skip(1);
    fail(new LateError());
    expect(said()).toEqual(['Postgres is away', 'Postgres is back', 'job failed']);
  });

  it('begins the next outage even right after the one before', async () => {
    const { clock, store, fail, said } = await stageAfterOutage();
    store.isUp = false;
    fail(new LateError());
    await settled();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away', 'Postgres is back', 'Postgres is away']);
  });
});

it('asks a store that has just come back about the error of a store that depends on it', async () => {
  const { logger, said } = recordingLogger();
  const clock = manualClock();
  const isUp = { redis: true, gate: true };
  const storeOf = (name: 'redis' | 'gate', isAway: (error: unknown) => boolean) => ({
    messages: { away: `${name} is away`, back: `${name} is back` },
    isAway,
    ping: async () => {
      if (!isUp[name]) throw new StoreError('refused');
    },
  });
  const watch = watchOutages({
    logger,
    clock,
    stores: { redis: storeOf('redis', (error) => error instanceof StoreError), gate: storeOf('gate', () => false) },
  });
  await settled();
  isUp.redis = false;
  watch.suspect('redis');
  await settled();
  isUp.redis = true;
  await clock.pass();
  expect(said()).toEqual(['redis is away', 'redis is back']);
  // Redis answers, and a node that no longer leads refuses the gate.
  isUp.gate = false;
  watch.suspect('gate');
  await settled();
  await clock.pass();
  expect(said()).toEqual(['redis is away', 'redis is back']);
  isUp.redis = false;
  watch.suspect('gate');
  await settled();
  await clock.pass();
  expect(said()).toEqual(['redis is away', 'redis is back', 'redis is away']);
});

it('reports at any time whether a store is away and how often it was', async () => {
  const { clock, store, watch, fail } = await stage();
  const conditions = () => watch.conditions();
  expect(conditions()).toEqual([{ store: 'postgres', isAway: false, outages: 0 }]);
  store.isUp = false;
  fail();
  fail();
  expect(conditions()).toEqual([{ store: 'postgres', isAway: true, outages: 1 }]);
  store.isUp = true;
  await clock.pass();
  expect(conditions()).toEqual([{ store: 'postgres', isAway: false, outages: 1 }]);
});

it('logs nothing about stores once the watch has stopped', async () => {
  const { clock, store, watch, fail, said } = await stage();
  store.isUp = false;
  fail();
  watch.stop();
  store.isUp = true;
  await clock.pass();
  fail();
  expect(said()).toEqual(['Postgres is away']);
});
