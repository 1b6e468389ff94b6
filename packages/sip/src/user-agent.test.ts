import { systemClock } from '@outdial/kernel';
import { freePort } from '@outdial/testkit';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../test/agents.ts';
import { AUDIO, callRequest, eventOf, watch, type SessionLog } from '../test/bench.ts';
import type { CallRequest } from './session/call-request.ts';
import type { IncomingSession } from './session/incoming-session.ts';

const agents = new Agents();
afterEach(() => agents.close());

const LOCAL = { ...AUDIO, address: '127.0.0.1' };

function dial({ agent }: OpenAgent, target: string, changes: Partial<CallRequest> = {}) {
  const session = agent.call(callRequest({ target, audio: LOCAL, ...changes }));
  return { session, log: watch(session) };
}

/** Passes incoming sessions to `take` as they come. */
function takeCalls(
  { agent }: OpenAgent,
  take: (session: IncomingSession, log: SessionLog) => void,
): Promise<SessionLog> {
  return new Promise((resolve) => {
    agent.onInvite((session) => {
      const log = watch(session);
      resolve(log);
      take(session, log);
    });
  });
}

const targetOf = (transport: 'udp' | 'tcp' | 'tls', callee: OpenAgent) =>
  `sip:+12025550100@127.0.0.1:${transport === 'tls' ? callee.transport.tlsPort : callee.transport.port};transport=${transport}`;

const passwordOf = (user: string) => (user === 'alice' ? 'secret' : undefined);

describe.each(['udp', 'tcp', 'tls'] as const)('two user agents over %s', (transport) => {
  it('ring, send early media, answer, hold, and hang up', async () => {
    const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
    let incoming: IncomingSession | undefined;
    const calleeTold = takeCalls(callee, (session) => {
      incoming = session;
      session.progress(LOCAL);
      session.answer(LOCAL);
    });
    const { session, log } = dial(caller, targetOf(transport, callee));
    expect(await eventOf(log, 'provisional')).toMatchObject({ sipCode: 183, audio: { codec: 'PCMU' } });
    expect(await eventOf(log, 'answered')).toMatchObject({ audio: { codec: 'PCMU', held: false } });
    expect(await incoming?.reoffer('sendonly')).toBe('accepted');
    expect(await eventOf(log, 'media')).toMatchObject({ audio: { held: true, direction: 'recvonly' } });
    session.hangUp();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    expect(await eventOf(await calleeTold, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
    expect([caller.agent.sessionCount, callee.agent.sessionCount]).toEqual([0, 0]);
  });

  it('the callee hangs up', async () => {
    const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
    const calleeTold = takeCalls(callee, (session) => session.answer(LOCAL));
    const { log } = dial(caller, targetOf(transport, callee));
    await eventOf(log, 'answered');
    expect((await calleeTold).end()).toBeUndefined();
    await callee.agent.close();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote', q850Cause: 16 } });
  });

  it('a ringing call is canceled', async () => {
    const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
    const calleeTold = takeCalls(callee, (session) => session.ring());
    const { session, log } = dial(caller, targetOf(transport, callee));
    await eventOf(log, 'provisional');
    session.hangUp();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'cancelled', sipCode: 487 } });
    expect(await eventOf(await calleeTold, 'ended')).toMatchObject({
      end: { outcome: 'cancelled', by: 'remote', q850Cause: 16 },
    });
  });

  it('another process ends a call by its description', async () => {
    const [caller, callee, other] = [await agents.openSecure(), await agents.openSecure(), await agents.openSecure()];
    for (const state of ['proceeding', 'answered'] as const) {
      const calleeTold = takeCalls(callee, (session) =>
        state === 'answered' ? session.answer(LOCAL) : session.ring(),
      );
      const { log } = dial(caller, targetOf(transport, callee));
      await eventOf(log, state === 'answered' ? 'answered' : 'provisional');
      const last = log.events.findLast((event) => event.kind === 'dialog');
      expect(last).toMatchObject({ description: { state } });
      expect(await other.agent.endByDescription(last?.kind === 'dialog' ? last.description : null)).toBe('gone');
      expect(await eventOf(await calleeTold, 'ended')).toMatchObject({ end: { by: 'remote', q850Cause: 41 } });
    }
  });

  it('a password is demanded and given; a wrong one ends the call', async () => {
    const [caller, callee] = [
      await agents.openSecure(),
      await agents.openSecure({ authentication: { realm: 'trunk', passwordOf } }),
    ];
    void takeCalls(callee, (session) => session.reject(486));
    const right = dial(caller, targetOf(transport, callee), { credentials: { username: 'alice', password: 'secret' } });
    expect(await eventOf(right.log, 'ended')).toMatchObject({ end: { outcome: 'refused', sipCode: 486 } });
    const wrong = dial(caller, targetOf(transport, callee), { credentials: { username: 'alice', password: 'guess' } });
    expect(await eventOf(wrong.log, 'ended')).toMatchObject({ end: { outcome: 'unauthorized', sipCode: 407 } });
    expect(caller.log.filter(({ kind, text }) => kind === 'sent' && text.startsWith('INVITE'))).toHaveLength(4);
  });

  it('OPTIONS shows that the far end is alive', async () => {
    const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
    expect(await caller.agent.options({ target: targetOf(transport, callee) })).toMatchObject({
      kind: 'answered',
      sipCode: 200,
    });
  });
});

describe('connections', () => {
  it('one connection carries everything between two ends', async () => {
    const [caller, callee] = [await agents.openSecure(), await agents.openSecure()];
    const sources = new Set<string>();
    callee.agent.onInvite((session) => session.reject(486));
    for (let round = 0; round < 3; round += 1) await eventOf(dial(caller, targetOf('tls', callee)).log, 'ended');
    for (const { kind, remote } of callee.log) if (kind === 'received') sources.add(remote);
    expect(sources.size).toBe(1);
  });

  it('a certificate for another name gives no connection: nothing is sent', async () => {
    const [caller, callee] = [await agents.open(), await agents.openSecure()];
    const { log } = dial(caller, targetOf('tls', callee));
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'unsent', by: 'network' } });
    expect(caller.log).toEqual([]);
  });

  it('a name is verified, even when it was found by SRV', async () => {
    const callee = await agents.openSecure();
    const port = callee.transport.tlsPort;
    callee.agent.onInvite((session) => session.reject(486));
    const resolver = {
      srv: (name: string) =>
        Promise.resolve(name.startsWith('_sips._tcp.') ? [{ name: 'host.test', port, priority: 1, weight: 1 }] : []),
      addresses: () => Promise.resolve(['127.0.0.1']),
    };
    const caller = await agents.openSecure({ resolver });
    expect(await eventOf(dial(caller, 'sips:1@trunk.test').log, 'ended')).toMatchObject({ end: { sipCode: 486 } });
    const other = await agents.openSecure({ resolver });
    expect(await eventOf(dial(other, 'sips:1@other.test').log, 'ended')).toMatchObject({ end: { outcome: 'unsent' } });
  });

  it.each(['tcp', 'tls'] as const)('without a listener for %s: unsent', async (transport) => {
    const caller = await agents.openSecure();
    const target = `sip:1@127.0.0.1:${await freePort()};transport=${transport}`;
    expect(await eventOf(dial(caller, target).log, 'ended')).toMatchObject({
      end: { outcome: 'unsent', by: 'network' },
    });
    expect(await caller.agent.options({ target })).toMatchObject({ kind: 'unsent' });
  });

  it('a connection that breaks after the INVITE is `silent`, and no other target is tried', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.resetAndDestroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    // A hundred times real speed, for timer B.
    const clock = {
      monotonicMs: () => systemClock.monotonicMs(),
      after: (ms: number, run: () => void) => systemClock.after(ms / 100, run),
    };
    const caller = await agents.open({ clock });
    const { log } = dial(caller, `sip:1@127.0.0.1:${port};transport=tcp`);
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'silent', by: 'network' } });
    server.close();
  });
});

describe('a public address', () => {
  it('is in Via and Contact, while packets use the real one', async () => {
    const [caller, callee] = [await agents.open({}, { publicAddress: { host: '203.0.113.5' } }), await agents.open()];
    callee.agent.onInvite((session) => session.reject(486));
    expect(await eventOf(dial(caller, targetOf('udp', callee)).log, 'ended')).toMatchObject({ end: { sipCode: 486 } });
    const invite = callee.log.find(({ text }) => text.startsWith('INVITE'))?.text ?? '';
    expect(invite).toContain(`Via: SIP/2.0/UDP 203.0.113.5:${caller.transport.port};`);
    expect(invite).toContain(`Contact: <sip:+12025550199@203.0.113.5:${caller.transport.port}>`);
    expect(callee.log.find(({ text }) => text.startsWith('SIP/2.0 486'))?.text).toContain('received=127.0.0.1');
  });

  it('a socket bound to every address names the one that the far end can reach', async () => {
    const [caller, callee] = [
      await agents.open({}, { address: '0.0.0.0' }),
      await agents.open({}, { address: '0.0.0.0' }),
    ];
    void takeCalls(callee, (session) => session.answer(LOCAL));
    const { session, log } = dial(caller, targetOf('udp', callee));
    await eventOf(log, 'answered');
    session.hangUp();
    await eventOf(log, 'ended');
    for (const { text } of [...caller.log, ...callee.log]) expect(text).not.toContain('0.0.0.0');
  });
});

describe('a public port', () => {
  it('survives garbage over UDP and TCP, and keeps working', async () => {
    const callee = await agents.open();
    callee.agent.onInvite((session) => session.reject(486));
    const socket = createSocket('udp4');
    for (const bytes of [
      Buffer.alloc(3_000, 0xff),
      Buffer.from('\r\n\r\n'),
      Buffer.from('INVITE\r\n\r\n'),
      Buffer.alloc(0),
    ]) {
      socket.send(bytes, callee.transport.port, '127.0.0.1');
    }
    const stream = connect(callee.transport.port, '127.0.0.1');
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.on('error', () => undefined);
    stream.write(`${'x'.repeat(100_000)}\r\n\r\n`);
    await closed;
    socket.close();
    const caller = await agents.open();
    expect(await eventOf(dial(caller, targetOf('udp', callee)).log, 'ended')).toMatchObject({ end: { sipCode: 486 } });
    expect(callee.log.some(({ kind, reason }) => kind === 'discarded' && reason !== undefined)).toBe(true);
  });

  it('a keep-alive on a stream is answered', async () => {
    const callee = await agents.open();
    const stream = connect(callee.transport.port, '127.0.0.1');
    stream.write('\r\n\r\n');
    const [answer] = await once(stream, 'data');
    expect(String(answer)).toBe('\r\n');
    stream.destroy();
  });
});
