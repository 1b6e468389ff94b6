import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../../test/agents.ts';

const agents = new Agents();
afterEach(() => agents.close());

/** Connects to the TLS port and sends nothing. */
function connectMute({ transport }: OpenAgent) {
  const mute = connect(transport.tlsPort, '127.0.0.1');
  mute.on('error', () => undefined).resume();
  return { closed: once(mute, 'close') };
}

it('a connection that never completes its handshake is closed', async () => {
  await expect(connectMute(await agents.openSecure()).closed).resolves.toBeDefined();
});

it('and does not keep a user agent from closing', async () => {
  const [agent, peer] = [await agents.openSecure(), await agents.openSecure()];
  const { closed } = connectMute(agent);
  // Connections are accepted in order: the answer on this one shows that the other was accepted.
  const target = `sip:127.0.0.1:${agent.transport.tlsPort};transport=tls`;
  expect(await peer.agent.options({ target })).toMatchObject({ kind: 'answered' });
  await agent.agent.close();
  await closed;
});
