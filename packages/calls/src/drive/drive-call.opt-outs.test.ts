import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const STORED = { evidence: 'key', note: null };

function optOut({ conversation }: DriveWorld): void {
  conversation.emit({ kind: 'opt_out', evidence: 'key', note: null });
}

describe('an opt-out while Postgres is away', () => {
  test('is stored once Postgres is back, while the call goes on', async () => {
    const world = new DriveWorld();
    await world.answer();
    world.store.away = true;
    optOut(world);
    await pass(20_000);
    world.store.away = false;
    await pass(6_000);
    expect(world.store.optOutStored).toEqual(STORED);
    expect(world.store.settlements).toHaveLength(0);
  });

  test('and that another worker’s end of the call comes before is stored all the same', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.store.away = true;
    optOut(world);
    await pass(LEASE_MS + 1_000);
    // Another worker reaches Postgres, and takes the call over.
    world.store.epoch += 1;
    world.store.away = false;
    await pass(6_000);
    await driving;
    expect(world.store.settlements).toHaveLength(0);
    expect(world.store.optOutStored).toEqual(STORED);
    expect(world.driver.liveCalls()).toBe(0);
  });
});
