import { afterEach, beforeEach, expect, it } from 'vitest';
import { Agents } from '../../test/agents.ts';
import { TLS_CERTIFICATE } from '../../test/tls-identity.ts';
import { TlsTrunk } from '../../test/tls-trunk.ts';
import type { KeepAliveTimes } from './stream-keep-alive.ts';

const agents = new Agents();
let trunk: TlsTrunk;
beforeEach(async () => {
  trunk = await TlsTrunk.open();
});
afterEach(async () => {
  await agents.close();
  await trunk.close();
});

/** A connection that was used once. */
async function connected(keepAlive: KeepAliveTimes) {
  const { agent } = await agents.open({}, { tls: { client: { ca: TLS_CERTIFICATE } }, keepAlive });
  const ask = () => agent.options({ target: trunk.target });
  expect(await ask()).toMatchObject({ kind: 'answered' });
  return { ask };
}

it('an idle connection that we opened gets keep-alives, even if the far end never answers them', async () => {
  const { ask } = await connected({ idleMs: 10, answerMs: 10 });
  await trunk.until(({ seen }) => seen.pings >= 10);
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(new Set(trunk.requests.map(({ sourcePort }) => sourcePort)).size).toBe(1);
});

it('a connection whose far end stopped answering is closed, and the next request uses another', async () => {
  trunk.answersPings = true;
  const { ask } = await connected({ idleMs: 20, answerMs: 500 });
  await trunk.until(({ seen }) => seen.pings >= 2 || seen.closed > 0);
  trunk.answersPings = false;
  await trunk.until(({ seen }) => seen.closed === 1);
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(new Set(trunk.requests.map(({ sourcePort }) => sourcePort)).size).toBe(2);
});
