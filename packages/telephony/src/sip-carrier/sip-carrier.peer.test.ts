import { LOCALHOST_IDENTITY, startBaresip, startSipp, type SippOptions } from '@outdial/testkit';
import { trunkOf } from '@outdial/calls/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { openCarrier, PlacedCall } from '../../test/sip-trunk.ts';
import { tone, toneShare } from '../testing/sounds.ts';

const LIMIT_MS = 60_000;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function carrierTo(uri: string, transport: 'udp' | 'tcp' | 'tls') {
  const trunk = trunkOf({ uri, transport });
  const world = await openCarrier({ trunks: [trunk], authority: LOCALHOST_IDENTITY.authority });
  closing.push(() => world.close());
  return world;
}

/** One call over the carrier to SIPp. */
async function callSipp(options: SippOptions) {
  const sipp = await startSipp(options);
  closing.push(() => sipp.stop());
  const call = new PlacedCall(await carrierTo(`sip:127.0.0.1:${sipp.port}`, options.transport));
  const expectContent = async () => expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  return { call, expectContent };
}

describe.each(['udp', 'tcp'] as const)('a call over the carrier to SIPp, by %s', (transport) => {
  test('is answered, and hung up by us', { timeout: LIMIT_MS }, async () => {
    const { call, expectContent } = await callSipp({ scenario: 'answers', transport });
    await call.until('answered');
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us', sipCode: 200 });
    expect(call.kinds).toEqual(['ringing', 'answered', 'ended']);
    await expectContent();
  });

  test('reports busy', { timeout: LIMIT_MS }, async () => {
    const { call, expectContent } = await callSipp({ scenario: 'refuses', transport, status: '486 Busy Here' });
    expect(await call.end()).toMatchObject({ outcome: 'busy', by: 'callee', sipCode: 486 });
    await expectContent();
  });

  test('is hung up by the far end', { timeout: LIMIT_MS }, async () => {
    const { call, expectContent } = await callSipp({ scenario: 'hangs_up', transport });
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'callee', q850Cause: 16 });
    await expectContent();
  });

  test('is put on hold and resumed', { timeout: LIMIT_MS }, async () => {
    const { call, expectContent } = await callSipp({ scenario: 'offers_again', transport });
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'callee' });
    expect(call.events.flatMap((event) => (event.kind === 'on_hold' ? [event.isOnHold] : []))).toEqual([true, false]);
    await expectContent();
  });
});

test.each(['udp', 'tcp', 'tls'] as const)(
  'baresip answers over %s, and is heard',
  { timeout: LIMIT_MS },
  async (transport) => {
    const baresip = await startBaresip({ number: '+12025550100', transport, plays: tone(440, LIMIT_MS) });
    closing.push(() => baresip.stop());
    const world = await carrierTo(baresip.uri, transport);
    const call = new PlacedCall(world);
    await call.until('answered');
    const heard = () => toneShare(world.recordings.channelsOf(call.callId).callee, 440);
    // Half a second of its tone, whenever that has arrived.
    while (heard().frames < 25) await new Promise((resolve) => setTimeout(resolve, 50));
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us', sipCode: 200 });
    expect(heard().median).toBeGreaterThan(0.9);
  },
);
