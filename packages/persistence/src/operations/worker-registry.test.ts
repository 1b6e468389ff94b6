import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { createWorkerRegistry, type WorkerReport } from './worker-registry.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const admin = () => createAdministration(world.database, { actor: 'ops' }).workers;
const report = (id: string, changes: Partial<WorkerReport> = {}) =>
  createWorkerRegistry(world.database).report({
    id,
    host: 'host',
    version: '1.0.0',
    startedAtMs: 1_700_000_000_000,
    liveCalls: 0,
    concurrency: 200,
    isStopping: false,
    ...changes,
  });
const stateOf = async (id: string) => (await admin().list()).find((worker) => worker.id === id)?.state;

const heardOf = (id: string, ago: string) => world.database.side.$executeRaw`
  UPDATE workers SET seen_at = clock_timestamp() - ${ago}::interval WHERE id = ${id}`;

test('a worker is shown with its last report and the requested state', async () => {
  expect(await report('one', { liveCalls: 3 })).toEqual({ shouldDrain: false });
  expect(await admin().list()).toEqual([
    {
      id: 'one',
      host: 'host',
      version: '1.0.0',
      startedAtMs: 1_700_000_000_000,
      seenAtMs: expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 60_000),
      state: 'taking',
      liveCalls: 3,
      concurrency: 200,
      oldestLeaseSeconds: null,
    },
  ]);
  await admin().setDraining({ workerId: 'one', draining: true });
  expect(await stateOf('one')).toBe('draining');
  expect(await report('one')).toEqual({ shouldDrain: true });
  expect(await stateOf('one')).toBe('drained');
  await admin().setDraining({ workerId: 'one', draining: false });
  expect(await report('one')).toEqual({ shouldDrain: false });
  await report('one', { isStopping: true, liveCalls: 1 });
  expect(await stateOf('one')).toBe('draining');
  await createWorkerRegistry(world.database).leave('one');
  expect(await stateOf('one')).toBeUndefined();
});

test('a worker without a report for ten seconds is silent, and removed after an hour', async () => {
  for (const id of ['silent', 'gone']) await report(id);
  await heardOf('silent', '11 seconds');
  await heardOf('gone', '61 minutes');
  await report('here');
  expect(await stateOf('silent')).toBe('silent');
  expect(await stateOf('gone')).toBeUndefined();
});

test('the lease age is that of the oldest renewal', async () => {
  const party = await world.party();
  await report('worker-1', { liveCalls: 2 });
  const old = await world.claimed(party);
  await world.claimed(party);
  await world.database.side.$executeRaw`
    UPDATE calls SET lease_renewed_at = clock_timestamp() - interval '20 s',
      lease_expires_at = clock_timestamp() + interval '40 s' WHERE id = ${old.id}::uuid`;
  const worker = (await admin().list()).find(({ id }) => id === 'worker-1');
  expect(worker?.oldestLeaseSeconds).toBeGreaterThanOrEqual(20);
});

test('a change is audited once, and a change of an unknown worker is rejected', async () => {
  await report('audited');
  for (const draining of [true, true, false]) await admin().setDraining({ workerId: 'audited', draining });
  expect(
    await world.database.side
      .$queryRaw`SELECT actor, action FROM audit_entries WHERE subject_id = 'audited' ORDER BY id`,
  ).toEqual([
    { actor: 'ops', action: 'worker.drain' },
    { actor: 'ops', action: 'worker.resume' },
  ]);
  await expect(admin().setDraining({ workerId: 'nobody', draining: true })).rejects.toMatchObject({
    code: 'worker_not_found',
  });
});
