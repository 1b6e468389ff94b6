import { startSipp } from '@outdial/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { Agents } from '../test/agents.ts';
import { AUDIO, eventOf, watch, type SessionLog } from '../test/bench.ts';
import type { IncomingSession } from './session/incoming-session.ts';

const agents = new Agents();
afterEach(() => agents.close());

const LOCAL = { ...AUDIO, address: '127.0.0.1' };
const CALLS = 30;

/** Runs that many SIPp calls to our callee, and returns how each of them ended here. */
async function called(
  transport: 'udp' | 'tcp',
  scenario: string,
  take: (session: IncomingSession, log: SessionLog) => void,
) {
  const callee = await agents.open();
  const taken: SessionLog[] = [];
  callee.agent.onInvite((session) => {
    const log = watch(session);
    taken.push(log);
    take(session, log);
  });
  const sipp = await startSipp({ scenario, transport, calls: CALLS, calleePort: callee.transport.port });
  expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  expect(taken).toHaveLength(CALLS);
  await Promise.all(taken.map((log) => eventOf(log, 'ended')));
  expect(callee.agent.sessionCount).toBe(0);
  return taken.map((log) => log.end());
}

describe.each(['udp', 'tcp'] as const)('SIPp as the caller over %s', (transport) => {
  it('is answered, and hangs up', async () => {
    const ends = await called(transport, 'calls', (session) => {
      session.ring();
      expect(session.answer(LOCAL)).toMatchObject({ codec: 'PCMA' });
    });
    for (const end of ends) expect(end).toMatchObject({ outcome: 'completed', by: 'remote' });
  });

  it('is hung up', async () => {
    const ends = await called(transport, 'calls_and_is_hung_up', (session) => {
      session.answer(LOCAL);
      session.hangUp();
    });
    for (const end of ends) expect(end).toMatchObject({ outcome: 'completed', by: 'local' });
  });

  it('cancels', async () => {
    const ends = await called(transport, 'calls_and_cancels', (session) => session.ring());
    for (const end of ends) expect(end).toMatchObject({ outcome: 'cancelled', by: 'remote', sipCode: 487 });
  });

  it('is refused', async () => {
    const ends = await called(transport, 'calls_and_is_refused', (session) => session.reject(486));
    for (const end of ends) expect(end).toMatchObject({ outcome: 'refused', by: 'local', sipCode: 486 });
  });
});
