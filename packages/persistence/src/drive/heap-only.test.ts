import { expect, test } from 'vitest';
import { claim, createWorld } from '../../test/world.ts';
import { createDatabase } from '../database.ts';
import { createDriveStore } from './drive-store.ts';

test('updates between accept and settle are heap-only and touch no index', async () => {
  const world = await createWorld();
  // One connection, so that its statistics can be flushed before they are read.
  const single = createDatabase({
    url: world.databaseUrl,
    poolSize: 1,
    queryTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  const drives = createDriveStore(single);
  const { id } = await world.queued(await world.party());

  const call = await claim(drives, id);
  const fence = { callId: call.id, epoch: call.epoch };
  await drives.saveDialog({ ...fence, carrier: 'simulated', dialog: { callId: 'a', tags: ['b', 'c'] } });
  await drives.advance({ ...fence, to: 'ringing', atMs: call.startedAtMs, sipCode: 180 });
  await drives.advance({ ...fence, to: 'in_progress', atMs: call.startedAtMs });
  await drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: call.startedAtMs });
  await drives.renewLease({ ...fence, leaseMs: 60_000 });

  await single.hot.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const counts = await single.hot.$queryRaw`
    SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS "heapOnly" FROM pg_stat_user_tables WHERE relname = 'calls'`;
  expect(counts).toEqual([{ updates: 6, heapOnly: 6 }]);
  await single.close();
  await world.close();
});
