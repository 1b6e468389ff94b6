import type { RecordedCalls, RecordingInventory, RecordingOutbox } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createRecordingLoops } from './loops.ts';

const callId = callIdSchema.parse('0195a000-0000-7000-8000-0000000000ab');
const never = () => Promise.reject(new Error('not used in this test'));

async function* batchOf(callIds: Iterable<CallId>) {
  yield [...callIds];
}

/** One recording on this machine, of an ended call, and a store that can be made unavailable. */
function openWorld({ retentionDays, uploads = true }: { readonly retentionDays?: number; readonly uploads?: boolean }) {
  const clock = fakeClock();
  const lines: { readonly level: string; readonly msg: string }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const here = new Set([callId]);
  const world = { clock, lines, here, isAway: false, walks: 0 };
  const outbox: RecordingOutbox = {
    list: () => batchOf(here),
    upload: async () => {
      if (world.isAway) throw new Error('the store is away');
      return 'stored';
    },
    discard: async (discarded) => void here.delete(discarded),
  };
  const inventory: RecordingInventory = {
    list() {
      world.walks += 1;
      return batchOf([]);
    },
    remove: async () => undefined,
  };
  const recordedCalls: RecordedCalls = {
    ended: async ({ callIds }) => callIds.map((id) => ({ callId: id, isRecorded: true, traceParent: null })),
    markStored: async () => undefined,
    markMissing: never,
    expire: async () => [],
  };
  const store = { create: () => ({ key: '', write() {}, close: never }), open: never, keyOf: String, repair: never };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const recordings = { store, inventory, outbox: uploads ? outbox : null };
  const loops = createRecordingLoops({
    recordings,
    recordedCalls,
    retentionDays: async () => retentionDays ?? null,
    uploadEveryMs: 3_000,
    workerId: 'w',
    clock,
    logger,
  });
  return Object.assign(world, { loops });
}

test('a failing upload is logged once, and its recovery once', async () => {
  const world = openWorld({});
  world.isAway = true;
  world.loops.startUploads();
  await world.clock.advance(60_000);
  expect([...world.here]).toEqual([callId]);
  world.isAway = false;
  await world.clock.advance(10_000);
  expect(world.here.size).toBe(0);
  expect(world.lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['error', 'recordings cannot be uploaded: they stay on this machine until they can'],
    ['info', 'recordings can be uploaded again'],
  ]);
  await world.loops.finishUploads(new AbortController().signal);
});

test('a recording that ended during the drain is uploaded before the worker stops, without waiting for a round', async () => {
  const world = openWorld({});
  await world.loops.finishUploads(new AbortController().signal);
  expect(world.here.size).toBe(0);
  expect(world.lines).toEqual([]);
});

test('recordings that could not be uploaded before the worker stops stay, and are counted in the log', async () => {
  const world = openWorld({});
  world.isAway = true;
  await world.loops.finishUploads(new AbortController().signal);
  expect([...world.here]).toEqual([callId]);
  expect(world.lines.at(-1)).toMatchObject({ level: 'warn', event: 'recordings.left', left: 1 });
});

test('expired recordings are deleted at the start and once a day, if a retention is set', async () => {
  const world = openWorld({ retentionDays: 30, uploads: false });
  const running = world.loops.startExpiry();
  await world.clock.advance(0);
  expect(world.walks).toBe(1);
  await world.clock.advance(3 * 24 * 3_600_000);
  expect(world.walks).toBeGreaterThanOrEqual(3);
  expect(world.walks).toBeLessThanOrEqual(4);
  await Promise.all(running.map((loop) => loop.stop()));
  const forever = openWorld({ uploads: false });
  const idle = forever.loops.startExpiry();
  await Promise.all(idle.map((loop) => loop.stop()));
  expect(forever.walks).toBe(0);
});
