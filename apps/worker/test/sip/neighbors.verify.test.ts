import { setTimeout as sleep } from 'node:timers/promises';
import { trunkNameSchema } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { ask, place, placeAll } from '../placed-load.ts';
import { openSipNetwork, type SipNetwork } from '../sip-network.ts';

const CALLS = 320;
const BUSY = '+12025550101';
const DECLINES = '+12025550103';
const HANGS_UP = '+12025550105';
const CONGESTED = '+12025550109';
const TRUNK = trunkNameSchema.parse('callee');
const QUEUE_TTL_SECONDS = 3;
const OTHERS = [BUSY, DECLINES, HANGS_UP];

let network: SipNetwork;
beforeAll(async () => {
  const table = { [BUSY]: 'busy', [DECLINES]: 'declines', [HANGS_UP]: 'impatient', [CONGESTED]: 'congested' };
  network = await openSipNetwork(table, { trunk: { channels: 400, callsPerSecond: 200 }, capacity: 1_000 });
});
afterAll(() => network.close());

test('of 320 calls, one in ten to a number that answers 503, all others end as their callee wants', async () => {
  const numbers = Array.from({ length: CALLS }, (_, nth) =>
    nth % 10 === 0 ? CONGESTED : (OTHERS[nth % OTHERS.length] ?? BUSY),
  );
  const sentTo = (number: string) => numbers.filter((each) => each === number).length;
  const counts: Record<string, number> = {};
  for (const { callee_number: to, ended_reason: reason, sip_code: code } of await placeAll(network, numbers)) {
    const outcome = `${to} ${reason} ${code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  expect(counts).toEqual({
    [`${BUSY} busy 486`]: sentTo(BUSY),
    [`${DECLINES} declined 603`]: sentTo(DECLINES),
    [`${HANGS_UP} callee_hangup 200`]: sentTo(HANGS_UP),
    [`${CONGESTED} carrier_unavailable 503`]: CALLS / 10,
  });
  expect(await network.invited()).toHaveLength(CALLS);
  expect(await audit(network.stage)).toEqual(AT_REST);
});

/** Workers read their trunks twice a second. */
const changeIsSeen = () => sleep(1_000);

test('calls wait while the trunk is down and end queue_expired; new ones are rejected once waiting is pointless', async () => {
  const { trunks } = createAdministration(network.stage.database, { actor: 'test' });
  const impatient = await network.anotherApi({ OUTDIAL_QUEUE_TTL_SECONDS: String(QUEUE_TTL_SECONDS) });
  const { uri } = await trunks.show(TRUNK);
  await trunks.update(TRUNK, { uri: 'sip:127.0.0.1:1', transport: 'tcp' });
  await changeIsSeen();
  const waiting = [await place(network, BUSY, impatient), await place(network, BUSY, impatient)];
  await expect.poll(() => ask(network, BUSY, impatient)).toMatchObject({ said: 'no_trunk_available' });
  for (const callId of waiting) {
    expect(await network.api.ended(callId)).toMatchObject({ ended_reason: 'queue_expired', sip_code: null, cost: 0 });
  }
  await trunks.update(TRUNK, { uri, transport: 'udp' });
  await expect.poll(() => ask(network, BUSY)).toMatchObject({ said: expect.stringMatching(/^[0-9a-f]{8}-/) });
  expect(await network.api.ended(await place(network, BUSY))).toMatchObject({ ended_reason: 'busy' });
});
