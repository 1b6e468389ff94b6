import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { afterEach, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../../test/agents.ts';
import { AUDIO, callRequest, eventOf, watch, type SessionLog } from '../../test/bench.ts';
import { TLS_CERTIFICATE, TLS_KEY } from '../../test/tls-identity.ts';

const BEFORE = { name: 'trunk.test', ca: TLS_CERTIFICATE };
const AFTER = { name: 'localhost', ca: LOCALHOST_IDENTITY.authority };
const renewed = {
  cert: Buffer.from(LOCALHOST_IDENTITY.certificate),
  key: Buffer.from(LOCALHOST_IDENTITY.key),
};
const nothing = Buffer.alloc(0);

const LOCAL = { ...AUDIO, address: '127.0.0.1' };

const agents = new Agents();
const carriers: TLSSocket[] = [];
afterEach(async () => {
  for (const carrier of carriers.splice(0)) carrier.destroy();
  await agents.close();
});

/** A carrier that opens a new connection, and trusts only the expected certificate. */
async function connectTo({ transport }: OpenAgent, { name, ca }: typeof BEFORE): Promise<TLSSocket> {
  const carrier = connect({ host: '127.0.0.1', port: transport.tlsPort, servername: name, ca });
  carriers.push(carrier);
  await once(carrier, 'secureConnect');
  return carrier;
}

async function isAnswered(carrier: TLSSocket, branch: string): Promise<boolean> {
  carrier.write(
    [
      'OPTIONS sip:agent@localhost SIP/2.0',
      `Via: SIP/2.0/TLS localhost:5061;branch=z9hG4bK${branch}`,
      'Max-Forwards: 70',
      'From: <sip:carrier@localhost>;tag=carrier',
      'To: <sip:agent@localhost>',
      `Call-ID: ${branch}`,
      'CSeq: 1 OPTIONS',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n'),
  );
  const [answer] = await once(carrier, 'data');
  return String(answer).startsWith('SIP/2.0 200 ');
}

it('a new connection is shown the renewed certificate, and an open connection continues', async () => {
  const agent = await agents.openSecure();
  const open = await connectTo(agent, BEFORE);
  expect(await isAnswered(open, 'before')).toBe(true);
  agent.transport.renewCertificate(renewed);
  expect(await isAnswered(await connectTo(agent, AFTER), 'new')).toBe(true);
  expect(await isAnswered(open, 'after')).toBe(true);
  await expect(connectTo(agent, BEFORE)).rejects.toThrow('certificate');
});

it('a call that is up over TLS continues over a renewal, and ends like any other', async () => {
  const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
  const answered = new Promise<SessionLog>((resolve) => {
    callee.agent.onInvite((incoming) => {
      resolve(watch(incoming));
      incoming.answer(LOCAL);
    });
  });
  const target = `sip:+12025550100@127.0.0.1:${callee.transport.tlsPort};transport=tls`;
  const session = caller.agent.call(callRequest({ target, audio: LOCAL }));
  const log = watch(session);
  await eventOf(log, 'answered');
  callee.transport.renewCertificate(renewed);
  expect(await session.reoffer('sendonly')).toBe('accepted');
  session.hangUp();
  expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
  expect(await eventOf(await answered, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
});

it('a certificate that cannot be used changes nothing', async () => {
  const agent = await agents.openSecure();
  expect(() => agent.transport.renewCertificate({ ...renewed, key: Buffer.from(TLS_KEY) })).toThrow('mismatch');
  expect(() => agent.transport.renewCertificate({ cert: nothing, key: nothing })).toThrow('PEM');
  expect(await isAnswered(await connectTo(agent, BEFORE), 'still')).toBe(true);
});

it('without a TLS listener there is nothing to renew', async () => {
  const { transport } = await agents.open();
  expect(() => transport.renewCertificate(renewed)).toThrow('nothing listens for TLS');
});
