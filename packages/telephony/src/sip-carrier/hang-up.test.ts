import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { FRAME_SAMPLES } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import { plainSdp, RawFarEnd, SDP_FIELD } from '@outdial/testkit';
import { afterEach, expect, test } from 'vitest';
import { CountingAgent } from '../../test/counting-conversation.ts';

import { RtpPeer } from '../../test/rtp-peer.ts';
import { faster, openCarrier, PlacedCall } from '../../test/sip-trunk.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** An answered call over a far end that does not answer BYE. SIP's timers run that many times faster. */
async function talkToOneThatIgnoresBye(times: number) {
  const sound = await RtpPeer.open();
  closing.push(() => sound.close());
  const packetsAtBye: number[] = [];
  const farEnd = await RawFarEnd.open((request, { contact }) => {
    if (request.method === 'INVITE')
      request.reply('200 OK', { fields: [contact, SDP_FIELD], body: plainSdp(sound.endpoint.port) });
    if (request.method === 'BYE') packetsAtBye.push(sound.packets.length);
  });
  closing.push(() => farEnd.close());
  const agent = new CountingAgent();
  const world = await openCarrier({
    trunks: [trunkOf({ uri: farEnd.uri })],
    clock: faster(times),
    agents: { prepare: async () => agent },
  });
  closing.push(() => world.close());
  const call = new PlacedCall(world);
  await call.until('answered');
  await sound.received(10);
  return { agent, call, farEnd, packetsAtBye, sound, world };
}

test('from our BYE on no packet is sent and nothing is recorded, although the far end never confirms it', async () => {
  const { agent, call, farEnd, packetsAtBye, sound, world } = await talkToOneThatIgnoresBye(32);
  call.leg.hangUp();
  await farEnd.request('BYE');
  expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us' });
  // The BYE was retransmitted for 32 s of its clock: one second of real time, in which fifty packets are due.
  expect(packetsAtBye.length).toBeGreaterThan(5);
  const [before = 0] = packetsAtBye;
  // A tick may pass between our decision and the moment in which the media thread reads it.
  expect(sound.packets.length - before).toBeLessThanOrEqual(1);
  const recordedFrames = world.recordings.channelsOf(call.callId).callee.length / FRAME_SAMPLES;
  expect(Math.abs(recordedFrames - sound.packets.length)).toBeLessThanOrEqual(2);
  expect(agent).toMatchObject({ finishes: 1 });
  expect(Math.abs(agent.said - sound.packets.length)).toBeLessThanOrEqual(2);
});

test('the ports stay bound until the far end is gone: its late packets reach no other call', async () => {
  const { call, farEnd } = await talkToOneThatIgnoresBye(1);
  const port = Number(/m=audio (\d+)/.exec(farEnd.requests[0]?.text ?? '')?.[1]);
  call.leg.hangUp();
  await farEnd.request('BYE');
  const other = createSocket('udp4');
  other.bind(port, '127.0.0.1');
  const [error] = await once(other, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});
