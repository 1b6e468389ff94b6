import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { trunkOf } from '@outdial/calls/testing';
import { plainSdp, RawFarEnd, SDP_FIELD, type RawRequest } from '@outdial/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { openCarrier, PlacedCall } from '../../test/sip-trunk.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function callOver(onRequest: (request: RawRequest, farEnd: RawFarEnd) => void) {
  const farEnd = await RawFarEnd.open(onRequest);
  closing.push(() => farEnd.close());
  const credentials = { username: 'alice', password: 'secret' };
  const trunk = trunkOf({ uri: farEnd.uri, credentials });
  const world = await openCarrier({ trunks: [trunk] });
  closing.push(() => world.close());
  return { call: new PlacedCall(world), farEnd, isUp: () => world.health.isUp(trunk) };
}

const refuses =
  (status: string, ...fields: string[]) =>
  (request: RawRequest) =>
    request.method === 'INVITE' && request.reply(status, { fields });

describe('a refusal', () => {
  test('reports its phrase, its warning, and the cause of the telephone network', async () => {
    const warning = 'Warning: 399 gw.example "No route"';
    const { call } = await callOver(
      refuses('486 Line is busy', warning, 'Reason: SIP;cause=486', 'Reason: Q.850;cause=17;text="User busy"'),
    );
    expect(await call.end()).toMatchObject({
      outcome: 'busy',
      sipCode: 486,
      q850Cause: 17,
      refusal: { reasonPhrase: 'Line is busy', warning: '399 gw.example "No route"', q850Text: 'User busy' },
    });
  });

  test('with control characters and endless text is cut to what can be stored and shown', async () => {
    const { call } = await callOver(refuses(`480 \u0007${'é\u{1f600}'.repeat(300)}`));
    const phrase = (await call.end()).refusal?.reasonPhrase ?? '';
    expect(Array.from(phrase)).toHaveLength(200);
    expect(phrase.startsWith('é')).toBe(true);
  });

  test('403 with cause 21 is the callee declining', async () => {
    const { call } = await callOver(refuses('403 Forbidden', 'Reason: Q.850;cause=21;text="Call Rejected"'));
    expect(await call.end()).toMatchObject({ outcome: 'declined', by: 'callee', sipCode: 403 });
  });

  test('by an unsupported challenge is not a wrong password', async () => {
    const { call, isUp } = await callOver(
      refuses('401 Unauthorized', 'WWW-Authenticate: Digest realm="r", nonce="n", algorithm=SHA3-512'),
    );
    expect(await call.end()).toMatchObject({ outcome: 'rejected', sipCode: 401 });
    expect(isUp()).toBe(true);
  });

  test('by a challenge for auth-int only is answered', async () => {
    const { call } = await callOver((request, { contact }) => {
      if (request.method === 'BYE') request.reply('200 OK');
      if (request.method !== 'INVITE') return;
      if (request.text.includes('qop=auth-int')) {
        request.reply('200 OK', { fields: [contact, SDP_FIELD], body: plainSdp(9) });
      } else {
        const fields = ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int"'];
        request.reply('401 Unauthorized', { fields });
      }
    });
    await call.until('answered');
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });
});

async function stranger(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.9');
  await once(socket, 'listening');
  closing.push(async () => void socket.close());
  return socket;
}

describe('a forged answer from an address to which nothing was sent', () => {
  test('is not the answer, and causes no BYE to its Contact', async () => {
    const socket = await stranger();
    const heard: string[] = [];
    socket.on('message', (datagram) => heard.push(String(datagram).split(' ')[0] ?? ''));
    const forged = [`Contact: <sip:forger@127.0.0.9:${socket.address().port}>`, SDP_FIELD];
    const { call, farEnd } = await callOver((request) => {
      if (request.method === 'CANCEL') request.reply('200 OK');
      if (request.method !== 'INVITE') return;
      request.reply('200 OK', { fields: forged, body: plainSdp(9), socket });
      request.reply('180 Ringing');
    });
    await call.until('ringing');
    expect(call.kinds).toEqual(['ringing']);
    call.leg.hangUp();
    await farEnd.request('CANCEL');
    const invite = await farEnd.request('INVITE');
    invite.reply('487 Request Terminated');
    expect(await call.end()).toMatchObject({ outcome: 'cancelled', sipCode: 487 });
    expect(heard).toEqual([]);
  });
});
