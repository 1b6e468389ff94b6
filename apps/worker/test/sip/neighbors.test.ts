import { createAdministration } from '@outdial/persistence';
import { trunkNameSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { ask, placeAll } from '../placed-load.ts';
import { openSipNetwork, type SipNetwork } from '../sip-network.ts';

const CALLS = 60;

const BUSY = '+12025550101';
/** Several destinations of one account that answer 503. */
const CONGESTED = ['+12025550109', '+12025550119', '+12025550129', '+12025550139'];

let network: SipNetwork;
beforeAll(async () => {
  const table = Object.fromEntries([[BUSY, 'busy'], ...CONGESTED.map((number) => [number, 'congested'])]);
  network = await openSipNetwork(table, {
    trunk: { channels: 400, callsPerSecond: 200 },
    capacity: 1_000,
  });
});
afterAll(() => network.close());

const numberOf = (nth: number) => (nth % 10 === 0 ? (CONGESTED[(nth / 10) % CONGESTED.length] ?? BUSY) : BUSY);

const TRUNK = trunkNameSchema.parse('callee');
const enable = (isEnabled: boolean) =>
  createAdministration(network.stage.database, { actor: 'test' }).trunks.setEnabled(TRUNK, isEnabled);

const acceptedAgain = () =>
  expect.poll(() => ask(network, BUSY)).toMatchObject({ said: expect.stringMatching(/^[0-9a-f]{8}-/) });

test('one call in ten to a congested destination harms no other call, and no request is rejected', async () => {
  const numbers = Array.from({ length: CALLS }, (_, nth) => numberOf(nth));
  const counts: Record<string, number> = {};
  for (const { callee_number: to, ended_reason: reason, sip_code: code } of await placeAll(network, numbers)) {
    const outcome = `${to === BUSY ? 'busy' : '503'} ${reason} ${code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  const congested = Math.ceil(CALLS / 10);
  expect(counts).toEqual({ 'busy busy 486': CALLS - congested, '503 carrier_unavailable 503': congested });
  expect(await network.invited()).toHaveLength(CALLS);
  expect(await audit(network.stage)).toEqual(AT_REST);
});

test('without any trunk a request is rejected with 503 no_trunk_available, and accepted again once there is one', async () => {
  await enable(false);
  await expect.poll(() => ask(network, BUSY)).toEqual({ said: 'no_trunk_available', retryAfter: '30' });
  await enable(true);
  await acceptedAgain();
});
