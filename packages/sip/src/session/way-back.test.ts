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

/** Calls by TLS, and is not listening for it. */
const openCaller = (options: Partial<UserAgentOptions> = {}) =>
  agents.open({ random: () => 0, ...options }, { tls: { client: { ca: TLS_CERTIFICATE } } });

async function answeredCall({ agent }: OpenAgent) {
  const session = agent.call(callRequest({ target: trunk.target, audio: { ...AUDIO, address: '127.0.0.1' } }));
  const told = watch(session);
  await eventOf(told, 'answered');
  await trunk.until(() => trunk.methods().includes('ACK'));
  return { session, told };
}

/** Resolves once the caller knows that its connection is lost. */
async function dropFor({ transport }: OpenAgent): Promise<void> {
  const channel = await transport.open({ transport: 'TLS', address: '127.0.0.1', port: trunk.port });
  const closed = new Promise<void>((resolve) => channel.onClosed(resolve));
  trunk.drop();
  await closed;
}

/** A hundred times as fast as life, for the pauses between attempts. */
const HURRIED = {
  monotonicMs: () => systemClock.monotonicMs(),
  after: (ms: number, run: () => void) => systemClock.after(ms / 100, run),
};

describe('a call over TLS whose connection is lost, with nothing that listens for TLS', () => {
  it.each([
    ['UPDATE', 'INVITE, ACK, BYE, CANCEL, UPDATE', ''],
    ['INVITE', 'INVITE, ACK, BYE, CANCEL', 'm=audio'],
  ])('opens another and tells the far end by %s, so that its BYE arrives', async (method, allow, body) => {
    trunk.allow = allow;
    const { told } = await answeredCall(await openCaller());
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
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
  });

  it('does so each time it is lost', async () => {
    const { told } = await answeredCall(await openCaller());
    for (let round = 1; round <= 3; round += 1) {
      trunk.drop();
      await trunk.until(() => trunk.methods().filter((method) => method === 'UPDATE').length === round);
    }
    trunk.sendBye();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
  });

  it('tries on while the far end is away, and goes on meanwhile', async () => {
    const { told } = await answeredCall(await openCaller({ clock: HURRIED }));
    trunk.refusesConnections = true;
    trunk.drop();
    await trunk.until(() => trunk.seen.refused >= 4);
    expect(told.end()).toBeUndefined();
    trunk.refusesConnections = false;
    await trunk.until(() => trunk.methods().includes('UPDATE'));
    trunk.sendBye();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
  });

  it('tries again when the far end had no time for it, and when it is lost again', async () => {
    const statuses = [491, 'lost', 503] as const;
    const answers = statuses.values();
    trunk.statusOf = ({ method }) => (method === 'UPDATE' ? (answers.next().value ?? 200) : 200);
    const { told } = await answeredCall(await openCaller({ clock: HURRIED }));
    trunk.drop();
    await trunk.until(() => trunk.methods().filter((method) => method === 'UPDATE').length === 4);
    expect(told.end()).toBeUndefined();
  });

  it('ends when the far end does not know it any more', async () => {
    trunk.statusOf = ({ method }) => (method === 'UPDATE' ? 481 : 200);
    const { told } = await answeredCall(await openCaller());
    trunk.drop();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'lost', by: 'network' } });
  });

  it('is hung up by a new connection, and is left alone then', async () => {
    const caller = await openCaller({ random: () => 0.999 });
    const { session, told } = await answeredCall(caller);
    await dropFor(caller);
    session.hangUp();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    expect(trunk.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
  });

  it('is hung up on by a new connection also when the BYE is what it breaks under', async () => {
    const answers = ['lost' as const].values();
    trunk.statusOf = ({ method }) => (method === 'BYE' ? (answers.next().value ?? 200) : 200);
    const { session, told } = await answeredCall(await openCaller());
    session.hangUp();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    const byes = trunk.requests.filter(({ request }) => request.method === 'BYE');
    expect(new Set(byes.map(({ sourcePort }) => sourcePort)).size).toBe(2);
  });
});

it('a call that still rings when its connection is lost is cancelled by a new one', async () => {
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

describe('a call over TLS whose connection is lost, with a port that listens for TLS', () => {
  it('is reached at that port, and needs to tell the far end nothing', async () => {
    const caller = await agents.openSecure({ random: () => 0 });
    const { told } = await answeredCall(caller);
    expect(contactPortOf(trunk.last('INVITE').request)).toBe(caller.transport.tlsPort);
    trunk.drop();
    await trunk.sendByeByOwnConnection();
    expect(await eventOf(told, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
    expect(trunk.methods()).toEqual(['INVITE', 'ACK']);
  });
});
