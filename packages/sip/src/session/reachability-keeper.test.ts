import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../../test/agents.ts';
import { AUDIO, callRequest, eventOf, watch } from '../../test/bench.ts';
import { TLS_CERTIFICATE } from '../../test/tls-identity.ts';
import { contactPortOf, TlsTrunk } from '../../test/tls-trunk.ts';
import type { UserAgentOptions } from '../user-agent.ts';

const agents = new Agents();
let trunk: TlsTrunk;
beforeEach(async () => {
  trunk = await TlsTrunk.open();
});
afterEach(async () => {
  await agents.close();
  await trunk.close();
});

/** Calls over TLS without a TLS listener. */
const openCaller = (options: Partial<UserAgentOptions> = {}) =>
  agents.open({ random: () => 0, ...options }, { tls: { client: { ca: TLS_CERTIFICATE } } });

async function answeredCall({ agent }: OpenAgent) {
  const session = agent.call(callRequest({ target: trunk.target, audio: { ...AUDIO, address: '127.0.0.1' } }));
  const log = watch(session);
  await eventOf(log, 'answered');
  await trunk.until(() => trunk.methods().includes('ACK'));
  return { session, log };
}

/** Resolves once the caller knows that its connection is lost. */
async function dropFor({ transport }: OpenAgent): Promise<void> {
  const channel = await transport.open({ transport: 'TLS', address: '127.0.0.1', port: trunk.port });
  const closed = new Promise<void>((resolve) => channel.onClosed(resolve));
  trunk.drop();
  await closed;
}

/** A hundred times real speed, for the pauses between attempts. */
const ACCELERATED_CLOCK = {
  monotonicMs: () => systemClock.monotonicMs(),
  after: (ms: number, run: () => void) => systemClock.after(ms / 100, run),
};

describe('a call over TLS whose connection is lost, without a TLS listener', () => {
  it.each([
    ['UPDATE', 'INVITE, ACK, BYE, CANCEL, UPDATE', ''],
    ['INVITE', 'INVITE, ACK, BYE, CANCEL', 'm=audio'],
  ])(
    'opens another connection and announces it by %s, so that the BYE of the far end arrives',
    async (method, allow, body) => {
      trunk.allow = allow;
      const { log } = await answeredCall(await openCaller());
      const first = trunk.last('INVITE');
      expect(contactPortOf(first.request)).toBe(first.sourcePort);
      const count = trunk.requests.length;
      trunk.drop();
      expect(trunk.sendBye()).toBe(false);
      await trunk.until(() => trunk.requests.length > count);
      const refresh = trunk.last(method);
      expect(refresh.sourcePort).not.toBe(first.sourcePort);
      expect(contactPortOf(refresh.request)).toBe(refresh.sourcePort);
      expect(refresh.request.body.toString()).toContain(body);
      if (method === 'INVITE') await trunk.until(() => trunk.last('ACK').sourcePort === refresh.sourcePort);
      trunk.sendBye();
      expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
    },
  );

  it('does so each time the connection is lost', async () => {
    const { log } = await answeredCall(await openCaller());
    for (let round = 1; round <= 3; round += 1) {
      trunk.drop();
      await trunk.until(() => trunk.methods().filter((method) => method === 'UPDATE').length === round);
    }
    trunk.sendBye();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
  });

  it('keeps trying while the far end is away, and stays up', async () => {
    const { log } = await answeredCall(await openCaller({ clock: ACCELERATED_CLOCK }));
    trunk.refusesConnections = true;
    trunk.drop();
    await trunk.until(() => trunk.seen.refused >= 4);
    expect(log.end()).toBeUndefined();
    trunk.refusesConnections = false;
    await trunk.until(() => trunk.methods().includes('UPDATE'));
    trunk.sendBye();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
  });

  it('tries again when the far end was overloaded, and when the connection is lost again', async () => {
    const statuses = [491, 'lost', 503] as const;
    const answers = statuses.values();
    trunk.statusOf = ({ method }) => (method === 'UPDATE' ? (answers.next().value ?? 200) : 200);
    const { log } = await answeredCall(await openCaller({ clock: ACCELERATED_CLOCK }));
    trunk.drop();
    await trunk.until(() => trunk.methods().filter((method) => method === 'UPDATE').length === 4);
    expect(log.end()).toBeUndefined();
  });

  it('ends when the far end no longer knows it', async () => {
    trunk.statusOf = ({ method }) => (method === 'UPDATE' ? 481 : 200);
    const { log } = await answeredCall(await openCaller());
    trunk.drop();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'lost', by: 'network' } });
  });

  it('is hung up over a new connection, and needs no further one', async () => {
    const caller = await openCaller({ random: () => 0.999 });
    const { session, log } = await answeredCall(caller);
    await dropFor(caller);
    session.hangUp();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    expect(trunk.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
  });

  it('is hung up over a new connection even when the old one breaks under the BYE', async () => {
    const answers = ['lost' as const].values();
    trunk.statusOf = ({ method }) => (method === 'BYE' ? (answers.next().value ?? 200) : 200);
    const { session, log } = await answeredCall(await openCaller());
    session.hangUp();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    const byes = trunk.requests.filter(({ request }) => request.method === 'BYE');
    expect(new Set(byes.map(({ sourcePort }) => sourcePort)).size).toBe(2);
  });
});

it('a ringing call whose connection is lost is canceled over a new one', async () => {
  trunk.statusOf = ({ method }) => (method === 'INVITE' ? 180 : 200);
  const caller = await openCaller();
  const session = caller.agent.call(callRequest({ target: trunk.target }));
  await eventOf(watch(session), 'provisional');
  await dropFor(caller);
  session.hangUp();
  await trunk.until(() => trunk.methods().includes('CANCEL'));
  const [invite, cancel] = [trunk.last('INVITE'), trunk.last('CANCEL')];
  expect(cancel.sourcePort).not.toBe(invite.sourcePort);
  expect(cancel.request.headers.get('via')).toBe(invite.request.headers.get('via'));
});

describe('a call over TLS whose connection is lost, with a TLS listener', () => {
  it('is reachable at that port, and sends no target refresh', async () => {
    const caller = await agents.openSecure({ random: () => 0 });
    const { log } = await answeredCall(caller);
    expect(contactPortOf(trunk.last('INVITE').request)).toBe(caller.transport.tlsPort);
    trunk.drop();
    await trunk.sendByeByOwnConnection();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
    expect(trunk.methods()).toEqual(['INVITE', 'ACK']);
  });
});
