import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { createLogger } from './logger.ts';
import { watchOutages } from './outages.ts';

class StoreError extends Error {}
class LateError extends Error {}

/** Time passes when the test says so. */
function manualClock(): Clock & { pass(): Promise<void> } {
  let due: (() => void)[] = [];
  return {
    nowMs: () => 0,
    monotonicMs: () => 0,
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

/** Whatever follows at once has followed. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function stage(level: 'debug' | 'warn' = 'warn', isUp = true) {
  const lines: { readonly level: string; readonly msg: string; readonly reason?: string }[] = [];
  const logger = createLogger({
    name: 'test',
    level,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const clock = manualClock();
  const store = { isUp };
  const ping = async () => {
    if (!store.isUp) throw new StoreError('refused');
  };
  const watch = watchOutages({
    logger,
    clock,
    stores: {
      postgres: {
        messages: { away: 'Postgres is away', back: 'Postgres is there again' },
        isAway: (error) => error instanceof StoreError,
        ping,
      },
    },
    mayFollowOutage: (error) => error instanceof LateError,
  });
  await settled();
  const fail = (error: Error = new StoreError('connection lost')) => logger.warn({ err: error }, 'work failed');
  return { logger, clock, store, watch, fail, said: () => lines.map(({ msg }) => msg), lines };
}

describe('an outage', () => {
  it('is said once, without a stack, however much fails because of it', async () => {
    const { logger, store, fail, lines } = await stage();
    store.isUp = false;
    for (let attempt = 0; attempt < 1_000; attempt += 1) fail();
    logger.child({ callId: 'c1' }).error({ err: new StoreError('connection lost') }, 'call not settled');
    expect(lines).toEqual([expect.objectContaining({ msg: 'Postgres is away', reason: 'connection lost' })]);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  it('is over when the store answers, which is said once; the next one is said again', async () => {
    const { clock, store, fail, said } = await stage();
    store.isUp = false;
    fail();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away']);
    store.isUp = true;
    await clock.pass();
    await clock.pass();
    expect(said()).toEqual(['Postgres is away', 'Postgres is there again']);
    fail();
    expect(said()).toEqual(['Postgres is away', 'Postgres is there again', 'Postgres is away']);
  });

  it('hides nothing that has other reasons', async () => {
    const { logger, fail, said } = await stage();
    fail();
    logger.error({ err: new Error('a defect') }, 'request failed');
    logger.warn({ callId: 'c1' }, 'call taken over');
    expect(said()).toEqual(['Postgres is away', 'request failed', 'call taken over']);
  });

  it('is recognised in an error that wraps it, or sums several of it up', async () => {
    const { fail, said } = await stage();
    fail(new Error('not written', { cause: new StoreError('connection lost') }));
    fail(new AggregateError([new StoreError('refused'), new StoreError('refused')], 'neither was written'));
    fail(new AggregateError([new StoreError('refused'), new Error('a defect')], 'neither was written'));
    fail(new AggregateError([], 'nothing'));
    expect(said()).toEqual(['Postgres is away', 'work failed', 'work failed']);
  });

  it('is not looked for without end in errors that are each other’s cause', async () => {
    const { fail, said } = await stage();
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    fail(one);
    expect(said()).toEqual(['work failed']);
  });

  it('is told in full at debug level', async () => {
    const { fail, lines } = await stage('debug');
    fail();
    fail();
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'warn Postgres is away',
      'debug work failed',
      'debug work failed',
    ]);
  });

  it('gives the reason without the paragraphs around it', async () => {
    const { fail, lines } = await stage();
    fail(new StoreError("\nInvalid `prisma.$queryRaw()` invocation:\n\n\nCan't reach database server"));
    expect(lines[0]?.reason).toBe("Can't reach database server");
  });
});

describe('a process that starts', () => {
  it('says nothing of a store before it has had time to reach it, and then once that it is away', async () => {
    const { clock, fail, said } = await stage('warn', false);
    fail();
    await clock.pass();
    expect(said()).toEqual([]);
    for (let ping = 0; ping < 5; ping += 1) await clock.pass();
    fail();
    expect(said()).toEqual(['Postgres is away']);
  });

  it('says nothing of a store that it has reached', async () => {
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

describe('a deadline that has passed', () => {
  it('is said if no store is to blame', async () => {
    const { fail, said } = await stage();
    fail(new LateError());
    await settled();
    fail(new LateError());
    expect(said()).toEqual(['work failed', 'work failed']);
  });

  it('is said once if one is, and begins the outage', async () => {
    const { store, fail, said } = await stage();
    store.isUp = false;
    for (let request = 0; request < 100; request += 1) fail(new LateError());
    await settled();
    fail(new LateError());
    expect(said()).toEqual(['work failed', 'Postgres is away']);
  });
});

it('how the stores are is told at any time: whether one is away, and how often it was', async () => {
  const { clock, store, watch, fail } = await stage();
  const told = () => watch.conditions();
  expect(told()).toEqual([{ store: 'postgres', isAway: false, outages: 0 }]);
  store.isUp = false;
  fail();
  fail();
  expect(told()).toEqual([{ store: 'postgres', isAway: true, outages: 1 }]);
  store.isUp = true;
  await clock.pass();
  expect(told()).toEqual([{ store: 'postgres', isAway: false, outages: 1 }]);
});

it('nothing is said of stores once the watch is over', async () => {
  const { clock, store, watch, fail, said } = await stage();
  store.isUp = false;
  fail();
  watch.stop();
  store.isUp = true;
  await clock.pass();
  fail();
  expect(said()).toEqual(['Postgres is away']);
});
