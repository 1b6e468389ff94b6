import { startBaresip, startKamailio, startSipp } from '@outdial/testkit';
import { trunkOf } from '@outdial/calls/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { openCarrier, PlacedCall } from '../../test/sip-trunk.ts';
import { tone, toneShare } from '../testing/sounds.ts';

const LIMIT_MS = 60_000;
const NUMBER = '+12025550100';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A call over Kamailio as the carrier's edge, to a UDP listener behind it. */
async function callThroughKamailio(callee: string, transport: 'udp' | 'tcp') {
  const kamailio = await startKamailio({ callee });
  closing.push(() => kamailio.stop());
  const trunk = trunkOf({ uri: `sip:127.0.0.1:${kamailio.port}`, transport, transfers: 'any' });
  const world = await openCarrier({ trunks: [trunk] });
  closing.push(() => world.close());
  return { world, call: new PlacedCall(world), trunk };
}

/** The same, answered by baresip, which plays a tone; resolves once half a second of it was heard. */
async function talkThroughKamailio(transport: 'udp' | 'tcp') {
  const baresip = await startBaresip({ number: NUMBER, transport: 'udp', plays: tone(440, LIMIT_MS) });
  closing.push(() => baresip.stop());
  const { world, call } = await callThroughKamailio(baresip.uri.replace('sip:localhost', '127.0.0.1'), transport);
  await call.until('answered');
  const heard = () => toneShare(world.recordings.channelsOf(call.callId).callee, 440);
  while (heard().frames < 25) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard().median).toBeGreaterThan(0.9);
  return { baresip, call };
}

describe.each(['udp', 'tcp'] as const)('a call through Kamailio, which record-routes, over %s', (transport) => {
  test('is heard, and hung up by us', { timeout: LIMIT_MS }, async () => {
    const { call, baresip } = await talkThroughKamailio(transport);
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us', sipCode: 200 });
    expect((await baresip.heard()).length).toBeGreaterThan(0);
  });

  test('is heard, and hung up by the callee', { timeout: LIMIT_MS }, async () => {
    const { call, baresip } = await talkThroughKamailio(transport);
    await baresip.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'callee', sipCode: 200 });
  });

  test('is transferred by baresip, which calls the destination itself', { timeout: LIMIT_MS }, async () => {
    const destination = await startBaresip({ number: '+12025550142', transport: 'udp', plays: tone(660, LIMIT_MS) });
    closing.push(() => destination.stop());
    const { call } = await talkThroughKamailio(transport);
    const uri = destination.uri.replace('sip:localhost', 'sip:+12025550142@127.0.0.1');
    call.leg.transfer({ target: { kind: 'uri', uri }, timeoutMs: 20_000 });
    await call.until('transfer');
    await destination.talks();
    expect(call.events.findLast(({ kind }) => kind === 'transfer')).toMatchObject({ outcome: { kind: 'transferred' } });
    call.leg.hangUp();
    await call.end();
  });

  test('that is rejected reports why', { timeout: LIMIT_MS }, async () => {
    const note = 'Reason: Q.850;cause=21;text="Call Rejected"';
    const status = '403 Not tonight';
    const sipp = await startSipp({ scenario: 'refuses', transport: 'udp', status, keys: { note } });
    closing.push(() => sipp.stop());
    const { call } = await callThroughKamailio(`127.0.0.1:${sipp.port}`, transport);
    expect(await call.end()).toMatchObject({
      outcome: 'declined',
      by: 'callee',
      sipCode: 403,
      q850Cause: 21,
      refusal: { reasonPhrase: 'Not tonight', q850Text: 'Call Rejected' },
    });
    expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  });
});

test('Kamailio answers OPTIONS for its trunk', { timeout: LIMIT_MS }, async () => {
  const sipp = await startSipp({ scenario: 'refuses', transport: 'udp' });
  closing.push(() => sipp.stop());
  const { world, call, trunk } = await callThroughKamailio(`127.0.0.1:${sipp.port}`, 'udp');
  await call.end();
  await world.health.ping();
  expect(world.health.isUp(trunk)).toBe(true);
});
