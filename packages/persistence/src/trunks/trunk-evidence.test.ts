import { randomUUID } from 'node:crypto';
import type { SharedEvidence, TrunkEvidenceStore } from '@outdial/calls';
import { accountIdSchema, callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTrunkName, trunkSettings } from '../../test/trunks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { createTrunkEvidence } from './trunk-evidence.ts';

let world: World;
let admin: Administration;
let one: TrunkEvidenceStore;
let other: TrunkEvidenceStore;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
  one = createTrunkEvidence(world.database, { workerId: 'one' });
  other = createTrunkEvidence(world.database, { workerId: 'other' });
});
afterAll(() => world.close());

async function addTrunk() {
  const trunk = newTrunkName();
  await admin.trunks.add({ name: trunk, ...trunkSettings(), credentials: null });
  return trunk;
}
const newCallId = () => callIdSchema.parse(randomUUID());
const accountId = accountIdSchema.parse(randomUUID());
const failed: SharedEvidence['evidence'] = {
  kind: 'failed',
  failure: 'silent',
  callId: newCallId(),
  accountId,
  destination: 'digest',
  retryAfterMs: null,
  detail: 'no response',
};
const seen = (trunk: SharedEvidence['trunk'], changes: Partial<SharedEvidence> = {}): SharedEvidence => ({
  id: randomUUID(),
  trunk,
  settings: 'as set',
  evidence: failed,
  ageMs: 2_000,
  awaitedMs: 32_000,
  ...changes,
});
const MINUTE_MS = 60_000;

test('evidence of one worker is read by another, once, with its age', async () => {
  const trunk = await addTrunk();
  const row = seen(trunk);
  await one.add([row]);
  await one.add([row]);
  const found = (await other.recent(MINUTE_MS)).filter((each) => each.trunk === trunk);
  expect(found).toEqual([
    {
      ...row,
      ageMs: expect.toSatisfy((ms: number) => ms >= 2_000 && ms < 2_000 + MINUTE_MS),
      awaitedMs: expect.closeTo(32_000, -1),
    },
  ]);
});

test('old evidence is not read and finally deleted, except for the last call that a trunk carried', async () => {
  const trunk = await addTrunk();
  const carried = { evidence: { kind: 'carried', accountId } as const, ageMs: 7_200_000, awaitedMs: 0 };
  const last = seen(trunk, carried);
  await one.add([seen(trunk, { ageMs: 7_200_000 }), seen(trunk, { ...carried, ageMs: 8_000_000 }), last]);
  const idsOf = async () => (await other.recent(MINUTE_MS)).filter((each) => each.trunk === trunk).map(({ id }) => id);
  expect(await idsOf()).toEqual([last.id]);
  await one.add([seen(await addTrunk())]);
  const { side } = world.database;
  expect(await side.$queryRaw`SELECT id::text FROM trunk_evidence WHERE trunk = ${trunk}`).toEqual([{ id: last.id }]);
});

test('evidence about a trunk that was removed is dropped', async () => {
  const [gone, there] = [await addTrunk(), await addTrunk()];
  await admin.trunks.remove(gone);
  await one.add([seen(gone), seen(there)]);
  const trunks = (await other.recent(MINUTE_MS)).map(({ trunk }) => trunk);
  expect(trunks).toContain(there);
  expect(trunks).not.toContain(gone);
});

test('one call at a time probes a trunk across all workers, until it ends or its time is up', async () => {
  const trunk = await addTrunk();
  const [first, second] = [newCallId(), newCallId()];
  const take = (store: TrunkEvidenceStore, callId: typeof first, forMs = MINUTE_MS) =>
    store.takeProbe({ trunk, callId, forMs });
  expect(await Promise.all([take(one, first), take(other, second)])).toContain(false);
  const holder = (await take(one, first)) ? first : second;
  const waiting = holder === first ? second : first;
  expect([await take(other, holder), await take(other, waiting)]).toEqual([true, false]);
  await one.endProbe(holder);
  expect(await take(other, waiting, 0)).toBe(true);
  expect(await take(one, holder)).toBe(true);
});
