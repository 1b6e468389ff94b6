import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Agents, type OpenAgent } from '../../test/agents.ts';

const agents = new Agents();
afterEach(() => agents.close());

/** Connects to the port for TLS and says nothing. */
function connectMute({ transport }: OpenAgent) {
  const mute = connect(transport.tlsPort, '127.0.0.1');
  mute.on('error', () => undefined).resume();
  return { closed: once(mute, 'close') };
}

it('a connection that never shakes hands is closed: it takes the place of one that would', async () => {
  await expect(connectMute(await agents.openSecure()).closed).resolves.toBeDefined();
});

it('and does not keep a user agent from closing', async () => {
  const [agent, peer] = [await agents.openSecure(), await agents.openSecure()];
  const { closed } = connectMute(agent);
  // Connections are taken in their order: this one's answer shows that the other was.
  const target = `sip:127.0.0.1:${agent.transport.tlsPort};transport=tls`;
  expect(await peer.agent.options({ target })).toMatchObject({ kind: 'answered' });
  await agent.agent.close();
  await closed;
});
