import { setTimeout as sleep } from 'node:timers/promises';
import { trunkOf } from '@outdial/calls/testing';
import { createAdministration } from '@outdial/persistence';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { hurriedClock } from '../hurried-clock.ts';
import { openStage, type Stage } from '../stage.ts';
import { openTrunkWorker, type TrunkWorker } from '../trunk-worker.ts';

const BUSY = '+12025550101';
const UNREACHABLE = ['+12025550112', '+12025550113', '+12025550114', '+12025550115'];

let stage: Stage;
let callee: ChildCallee;
let worker: TrunkWorker;
beforeAll(async () => {
  stage = await openStage();
  const table = Object.fromEntries([[BUSY, 'busy'], ...UNREACHABLE.map((number) => [number, 'unreachable'])]);
  callee = await startChildCallee({ OUTDIAL_CALLEE_TABLE: JSON.stringify(table) });
  // Timer B is 1.6 s.
  worker = await openTrunkWorker(stage, 'one', { clock: hurriedClock(20) });
});
afterEach(async () => {
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  for (const { name } of await trunks.list()) await trunks.remove(name);
});
afterAll(async () => {
  await worker.close();
  await callee.close();
  await stage.close();
});

/** A call that waits for its turn is retried within a second; one that waits for a trunk, later. */
const LONGEST_TURN_MS = 1_500;

async function drive(toNumber: string): Promise<string> {
  const callId = await stage.place(toNumber);
  for (;;) {
    const outcome = await worker.driver.drive(callId);
    if (outcome.kind === 'done') return (await stage.untilEnded(callId)).endedReason;
    if (outcome.afterMs > LONGEST_TURN_MS) return 'waits for a trunk';
    await sleep(outcome.afterMs);
  }
}

test.each(['options', 'none'] as const)(
  'silent destinations do not affect other calls, health check %s',
  async (healthCheck) => {
    const { trunks } = createAdministration(stage.database, { actor: 'test' });
    const trunk = trunkOf({ name: `trunk-${healthCheck}`, uri: callee.uri, channels: 50, callsPerSecond: 100 });
    await trunks.add({ ...trunk, healthCheck, credentials: null });
    await worker.seesTrunks([trunk.name]);
    const silent = Promise.all(UNREACHABLE.map(drive));
    const during = await Promise.all(Array.from({ length: 10 }, () => drive(BUSY)));
    expect(await silent).toEqual(UNREACHABLE.map(() => 'carrier_unavailable'));
    const after = await Promise.all(Array.from({ length: 10 }, () => drive(BUSY)));
    expect(new Set([...during, ...after])).toEqual(new Set(['busy']));
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
);
