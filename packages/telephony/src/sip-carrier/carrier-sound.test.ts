import { trunkOf } from '@outdial/calls/testing';
import { plainSdp, RawFarEnd, SDP_FIELD, sdpWithIsup } from '@outdial/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { RtpPeer } from '../../test/rtp-peer.ts';
import { openCarrier, PlacedCall } from '../../test/sip-trunk.ts';
import { rootMeanSquare } from '../media/frames.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function peerAt(host: string): Promise<RtpPeer> {
  const peer = await RtpPeer.open(host);
  closing.push(() => peer.close());
  return peer;
}

/** An answered call over a far end whose SDP names this port, in the given kind of body. */
async function callWith(sdpPort: number, trunk: Parameters<typeof trunkOf>[0] = {}, wrap = false) {
  const sdp = plainSdp(sdpPort);
  const { field, body } = wrap ? sdpWithIsup(sdp) : { field: SDP_FIELD, body: sdp };
  const farEnd = await RawFarEnd.open((request, { contact }) => {
    if (request.method === 'INVITE') request.reply('200 OK', { fields: [contact, field], body });
    else if (request.method === 'BYE') request.reply('200 OK');
  });
  closing.push(() => farEnd.close());
  const world = await openCarrier({ trunks: [trunkOf({ uri: farEnd.uri, ...trunk })] });
  closing.push(() => world.close());
  const call = new PlacedCall(world);
  await call.until('answered');
  const invite = await farEnd.request('INVITE');
  const port = Number(/m=audio (\d+)/.exec(invite.text)?.[1]);
  /** The level of the callee in the recording, once the call has ended. */
  const heard = async () => {
    call.leg.hangUp();
    await call.end();
    return rootMeanSquare(world.recordings.channelsOf(call.callId).callee);
  };
  return { port, heard };
}

/** Sends a frame for each packet that `clock` receives. */
async function speak(speaker: RtpPeer, port: number, clock: RtpPeer): Promise<void> {
  for (let sent = 0; sent < 25; sent += 1) {
    speaker.send(port, 0x00);
    await clock.received(clock.packets.length + 1);
  }
}

test('an answer with ISUP beside its session description has audio both ways', async () => {
  const peer = await peerAt('127.0.0.1');
  const { port, heard } = await callWith(peer.endpoint.port, {}, true);
  await peer.received(1);
  await speak(peer, port, peer);
  expect(await heard()).toBeGreaterThan(1_000);
});

describe('audio from another address than the SDP’s', () => {
  test('is heard over a trunk whose media source is any, and ours is sent back to it', async () => {
    const [named, proxy] = [await peerAt('127.0.0.1'), await peerAt('127.0.0.2')];
    const { port, heard } = await callWith(named.endpoint.port, { mediaSource: 'any' });
    await named.received(1);
    proxy.send(port, 0x00);
    await proxy.received(1);
    await speak(proxy, port, proxy);
    const late = await peerAt('127.0.0.3');
    late.send(port, 0x00);
    await proxy.received(proxy.packets.length + 5);
    expect(late.packets).toEqual([]);
    expect(await heard()).toBeGreaterThan(1_000);
  });

  test('is a stranger’s over any other trunk', async () => {
    const [named, stranger] = [await peerAt('127.0.0.1'), await peerAt('127.0.0.2')];
    const { port, heard } = await callWith(named.endpoint.port);
    await named.received(1);
    await speak(stranger, port, named);
    expect(stranger.packets).toEqual([]);
    expect(await heard()).toBe(0);
  });
});
