import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../../test/agents.ts';

const agents = new Agents();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await agents.close();
});

/** `once` would reject for a connection that is reset. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** Connects from an address of this machine; sends what it is given. */
async function connectFrom(localAddress: string, { transport }: OpenAgent, bytes = '') {
  const port = transport.tlsPort || transport.port;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const ping = (from: string) =>
  [
    'OPTIONS sip:outdial@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/TCP ${from};branch=z9hG4bK${Math.random()}`,
    'Max-Forwards: 70',
    `From: <sip:peer@${from}>;tag=1`,
    'To: <sip:outdial@127.0.0.1>',
    `Call-ID: ${Math.random()}@${from}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');

/** The status line of the response; undefined if the connection is closed instead. */
async function answerTo(socket: Socket, bytes: string): Promise<string | undefined> {
  socket.write(bytes);
  const closed = closing(socket).then(() => undefined);
  const answer = once(socket, 'data').then(([data]) => String(data).split('\r\n')[0]);
  return Promise.race([answer, closed]);
}

describe('a thousand connections from one address that trickle bytes', () => {
  it('keep out neither a trunk nor a stranger', async () => {
    const agent = await agents.open();
    const trunk = await agents.open();
    expect(await agent.agent.options({ target: `sip:127.0.0.1:${trunk.transport.port}` })).toMatchObject({
      kind: 'answered',
    });
    const early = await connectFrom('127.0.0.1', agent);
    for (let nth = 0; nth < 1_000; nth += 1) await connectFrom('127.0.0.2', agent, 'OPTIONS s');
    expect(await answerTo(early, ping('127.0.0.1'))).toBe('SIP/2.0 200 OK');
    expect(await answerTo(await connectFrom('127.0.0.1', agent), ping('127.0.0.1'))).toBe('SIP/2.0 200 OK');
    expect(await answerTo(await connectFrom('127.0.0.3', agent), ping('127.0.0.3'))).toBe('SIP/2.0 200 OK');
  });
});

it('from more addresses than the limit close the stranger that was silent for longest, and never a known peer', async () => {
  const agent = await agents.open({}, { inbound: { connections: 4, connectionsPerAddress: 2 } });
  const trunk = await agents.open();
  await agent.agent.options({ target: `sip:127.0.0.1:${trunk.transport.port}` });
  const known = await connectFrom('127.0.0.1', agent);
  const talker = await connectFrom('127.0.0.2', agent);
  expect(await answerTo(talker, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
  const silent = await connectFrom('127.0.0.3', agent);
  const closed = closing(silent);
  await connectFrom('127.0.0.4', agent);
  const late = await connectFrom('127.0.0.5', agent);
  await closed;
  expect(await answerTo(late, ping('127.0.0.5'))).toBe('SIP/2.0 200 OK');
  expect(await answerTo(talker, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
  expect(await answerTo(known, ping('127.0.0.1'))).toBe('SIP/2.0 200 OK');
});

it('beyond the limit of an address close its own oldest silent connection', async () => {
  const agent = await agents.open({}, { inbound: { connectionsPerAddress: 2 } });
  const first = await connectFrom('127.0.0.2', agent);
  const closed = closing(first);
  const second = await connectFrom('127.0.0.2', agent);
  const third = await connectFrom('127.0.0.2', agent);
  await closed;
  expect(await answerTo(second, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
  expect(await answerTo(third, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
});

it('are limited over TLS too, before the handshake is over', async () => {
  const limits = { connections: 2, connectionsPerAddress: 2 };
  const agent = await agents.openSecure({}, { inbound: limits });
  const [first, second] = [await connectFrom('127.0.0.2', agent), await connectFrom('127.0.0.3', agent)];
  const closed = closing(first);
  const peer = await agents.openSecure();
  const target = `sip:127.0.0.1:${agent.transport.tlsPort};transport=tls`;
  expect(await peer.agent.options({ target })).toMatchObject({ kind: 'answered' });
  await closed;
  expect(second.destroyed).toBe(false);
});

/** Sends another byte of a header field every few milliseconds. */
function trickle(socket: Socket): NodeJS.Timeout {
  return setInterval(() => socket.write('x'), 5);
}

describe('a message that never ends', () => {
  it.each([
    ['the first of its connection', { firstMessageMs: 100 }, ''],
    ['a later one', { messageMs: 100 }, ping('127.0.0.2')],
  ])('%s is given up although bytes keep coming', async (_, inbound, before) => {
    const agent = await agents.open({}, { inbound });
    const socket = await connectFrom('127.0.0.2', agent);
    if (before !== '') expect(await answerTo(socket, before)).toBe('SIP/2.0 200 OK');
    const closed = closing(socket);
    socket.write('OPTIONS sip:outdial@127.0.0.1 SIP/2.0\r\nSubject: ');
    const bytes = trickle(socket);
    await closed;
    clearInterval(bytes);
    expect(agent.log.find(({ kind }) => kind === 'discarded')).toMatchObject({
      reason: 'no complete message came in time',
    });
  });

  it('a connection that has sent its message may be silent for as long as a call lasts', async () => {
    const agent = await agents.open({}, { inbound: { firstMessageMs: 100, messageMs: 100 } });
    const [talker, mute] = [await connectFrom('127.0.0.2', agent), await connectFrom('127.0.0.2', agent)];
    expect(await answerTo(talker, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
    await closing(mute);
    expect(await answerTo(talker, ping('127.0.0.2'))).toBe('SIP/2.0 200 OK');
  });
});
