import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DriveWorld, pass, callId, reservationId } from '../../test/drive-world.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { trunkOf } from '../testing/trunks/trunk-of.ts';
import { RowRejected } from '../ports/accept-store.ts';
import type { Trunk } from '../trunk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const main = trunkOf({ name: 'main' });
const spare = trunkOf({ name: 'spare' });
const dialog = { branch: 'a' };

async function dialled(world: TrunkWorld = new TrunkWorld()) {
  const drive = new DriveWorld({ trunks: world });
  const { leg, driving } = await drive.dial();
  return { world, drive, leg, driving, begin: (trunk: Trunk) => leg.request.beginAttempt(trunk, dialog) };
}

test('an attempt begins once the gate gave a channel and Postgres stored it and the leg under the same token', async () => {
  const { world, begin } = await dialled();
  expect(await begin(main)).toBe('begun');
  expect(world.log).toEqual([
    { kind: 'take', callId, reservationId, trunk: 'main' },
    { kind: 'write', trunk: 'main', dialog, number: 1, carrier: 'fake', epoch: 1, generation: 1 },
  ]);
});

test('each try is a new attempt, also at the same trunk: the state of the previous one is discarded', async () => {
  const { world, begin } = await dialled();
  for (const trunk of [main, main, spare]) expect(await begin(trunk)).toBe('begun');
  expect(world.written).toEqual(['main 1', 'main 2', 'spare 3']);
});

test('a full trunk is skipped, and nothing is written', async () => {
  const { world, begin } = await dialled();
  world.full.add('main');
  expect(await begin(main)).toBe('no_channel');
  expect(await begin(spare)).toBe('begun');
  expect(world.written).toEqual(['spare 1']);
});

test('a call that another worker owns is not dialed', async () => {
  const { world, drive, leg, begin } = await dialled();
  world.beforeWrite = () => (world.fenced = true);
  const outcome = await Promise.race([begin(main), pass(60_000).then(() => 'never')]);
  expect(outcome).not.toBe('begun');
  expect(leg.hangUps).toBe(1);
  expect(drive.store.settlements).toEqual([]);
});

test('a stale gate is closed, and the attempt begins once the gate is rebuilt', async () => {
  const { world, drive, begin } = await dialled();
  world.staleWrites = 1;
  const beginning = begin(main);
  await pass(250);
  expect(await beginning).toBe('begun');
  expect(drive.gateCloses).toBe(1);
});

test.each(['closed', 'not_held', 'away'] as const)(
  'a gate that is %s is waited for, but not forever',
  async (state) => {
    const first = await dialled();
    first.world.gate = state;
    const beginning = first.begin(main);
    await pass(3_000);
    first.world.gate = 'open';
    await pass(250);
    expect(await beginning).toBe('begun');

    const second = await dialled();
    second.world.gate = state;
    const refused = second.begin(main);
    await pass(11_000);
    expect(await refused).toBe('refused');
    expect(second.world.written).toEqual([]);
  },
);

test('a trunk at its call rate is waited for, and given up once that takes too long', async () => {
  const first = await dialled();
  first.world.paceMs = 200;
  const beginning = first.begin(main);
  await pass(150);
  first.world.paceMs = 0;
  await pass(50);
  expect(await beginning).toBe('begun');

  const second = await dialled();
  second.world.paceMs = 200;
  const never = second.begin(main);
  await pass(10_000);
  expect(await never).toBe('no_channel');
});

test('channels that a rebuilt gate does not know yet are restored first', async () => {
  const { world, begin } = await dialled();
  world.stale = true;
  const beginning = begin(main);
  await pass(0);
  expect(await beginning).toBe('begun');
  expect(world.restores).toBe(1);
});

test('no attempt begins once the end of the call is requested', async () => {
  const { world, drive, leg, begin } = await dialled();
  leg.confirmsAfterMs = null;
  world.gate = 'closed';
  drive.store.endRequested = true;
  drive.driver.endRequested(callId);
  await pass(0);
  const beginning = begin(main);
  await pass(250);
  expect(await beginning).toBe('refused');
});

test('an attempt whose data Postgres rejects is not dialed', async () => {
  const { world, begin } = await dialled();
  world.beforeWrite = () => {
    throw new RowRejected(new Error('no'));
  };
  expect(await begin(main)).toBe('refused');
});

test('a leg counts as recorded once all its writes are stored, and not while Postgres is away', async () => {
  const { drive, leg } = await dialled();
  drive.store.away = true;
  leg.emit({ kind: 'dialog', dialog: { branch: 'b' } });
  let recorded = false;
  void leg.request.recorded().then(() => (recorded = true));
  await pass(3_000);
  expect(recorded).toBe(false);
  drive.store.away = false;
  await pass(5_000);
  expect(recorded).toBe(true);
  expect(drive.store.dialog).toEqual({ branch: 'b' });
});

test('a leg of a call that another worker owns never counts as recorded', async () => {
  const { drive, leg } = await dialled();
  drive.store.takeAway();
  leg.emit({ kind: 'dialog', dialog: { branch: 'b' } });
  let recorded = false;
  void leg.request.recorded().then(() => (recorded = true));
  await pass(60_000);
  expect(recorded).toBe(false);
});

test('a carrier that begins an attempt without configured trunks is refused', async () => {
  const drive = new DriveWorld();
  const { leg } = await drive.dial();
  expect(await leg.request.beginAttempt(main, dialog)).toBe('refused');
});

test("the lease may be used until its last renewal's expiry, less the margin", async () => {
  const { leg } = await dialled();
  const endsAtMs = leg.request.rightEndsAtMs();
  expect(endsAtMs - performance.now()).toBe(50_000);
  await pass(20_000);
  expect(leg.request.rightEndsAtMs()).toBeGreaterThan(endsAtMs + 10_000);
});
