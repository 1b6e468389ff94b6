import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callId, DriveWorld, reservationId } from '../../test/drive-world.ts';
import { LineWorld } from '../../test/line-world.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { breakerOf, lineOf } from '../testing/lines/lines.ts';
import { takeLine } from './take-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const breaker = breakerOf('a');
const line = lineOf('a', 1, { breakers: [breaker] });
const OPEN = { kind: 'open', isChecked: true, owner: null } as const;

function worldOf(...needed: Parameters<typeof lineOf>[]) {
  const lines = new LineWorld(...(needed.length > 0 ? needed.map((each) => lineOf(...each)) : [line]));
  const trunks = new TrunkWorld();
  const drive = new DriveWorld({ trunks, lines });
  drive.store.driver = 'realtime';
  return { lines, trunks, drive };
}

test('a call that a model conducts is claimed with the lines that it needs', async () => {
  const { drive } = worldOf();
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBe('main');
  expect(drive.store.lines).toEqual([line.name]);
  expect(drive.store.asked.filter((verb) => verb === 'claim')).toHaveLength(2);
});

test('a scripted call is claimed with one statement, and no line is asked for', async () => {
  const { drive, lines } = worldOf();
  drive.store.driver = null;
  lines.lineDirectory.away = true;
  lines.lineGate.token = null;
  await drive.dial();
  expect(drive.store.asked.filter((verb) => verb === 'claim')).toHaveLength(1);
});

test('a worker that does not know the driver leaves the call to others', async () => {
  const { drive, lines } = worldOf();
  lines.drivers = ['scripted'];
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 2_000 });
  expect(drive.store.status).toBe('queued');
});

test('a worker without lines leaves calls of models to others', async () => {
  const drive = new DriveWorld();
  drive.store.driver = 'realtime';
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 2_000 });
});

test('while a line is closed the call waits, unclaimed, and asks no trunk for a channel again', async () => {
  const { drive, lines, trunks } = worldOf();
  await lines.lineGate.breakers.change(breaker, 0, { ...OPEN, forMs: 700 });
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 700 });
  trunks.acquisition = { kind: 'wait', forMs: 60_000 };
  lines.nowMs = 700;
  await drive.dial();
  expect(drive.store.lines).toEqual([line.name]);
});

test('lines that a rebuilt gate does not know yet are restored, and the call is tried again at once', async () => {
  const { drive, lines, trunks } = worldOf();
  lines.lineGate.areLinesRestored = false;
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 0 });
  expect(lines.lineGate.areLinesRestored).toBe(true);
  expect(trunks.restores).toBe(1);
  await drive.dial();
});

test('a gate whose token Postgres no longer has is closed, and the call waits', async () => {
  const { drive } = worldOf();
  drive.store.generation = 2;
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 1_000 });
  expect(drive.gateCloses).toBe(1);
  expect(drive.store.status).toBe('queued');
});

test('a call that the gate does not hold waits for the rebuild; one that has ended is done', async () => {
  const { drive, lines } = worldOf();
  lines.lineGate.release(callId);
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 1_000 });
  drive.store.status = 'ended';
  expect(await drive.drive()).toEqual({ kind: 'done' });
});

test('a directory that is away leaves the call in the queue', async () => {
  const { drive, lines } = worldOf();
  lines.lineDirectory.away = true;
  await expect(drive.drive()).rejects.toThrow('Postgres is away');
  expect(drive.store.status).toBe('queued');
});

function depsOf({ deps: { gate, clock } }: DriveWorld, { lineGate, lineStore }: LineWorld) {
  return { gate, clock, lineGate, lineStore };
}

const spare = lineOf('spare', 1, { breakers: [breaker] });
const call = { id: callId, reservationId, epoch: 1 };

test('a fallback takes a line in the gate, then in Postgres', async () => {
  const { drive, lines } = worldOf();
  expect(await takeLine(depsOf(drive, lines), call, spare)).toBe('taken');
  expect(lines.appended).toEqual([spare.name]);
  expect(lines.lineGate.used(spare.name)).toBe(1);
});

test('a fallback to a full or a closed line takes nothing', async () => {
  const { drive, lines } = worldOf();
  expect(await takeLine(depsOf(drive, lines), call, lineOf('full', 0))).toBe('none');
  await lines.lineGate.breakers.change(breaker, 0, { ...OPEN, forMs: 1_000 });
  expect(await takeLine(depsOf(drive, lines), call, spare)).toBe('none');
  expect(lines.appended).toEqual([]);
});

test('a fallback of a call that another worker owns is fenced', async () => {
  const { drive, lines } = worldOf();
  lines.appending = { kind: 'fenced' };
  expect(await takeLine(depsOf(drive, lines), call, spare)).toBe('fenced');
});

test('a fallback that no gate answers in time is given up', async () => {
  const { drive, lines } = worldOf();
  lines.lineGate.token = null;
  const taking = takeLine(depsOf(drive, lines), call, spare);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await taking).toBe('none');
});
