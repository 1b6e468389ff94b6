import { describe, expect, it } from 'vitest';
import { callRequest, createBench, SDP_PARTS, THEIRS, watch } from '../../test/bench.ts';
import { ScriptedPeer } from '../../test/scripted-peer.ts';
import type { CallRequest } from './call-request.ts';

const OTHER = '10.0.0.3';
const CHALLENGE = 'Digest realm="r", nonce="n", qop="auth"';
const ALICE = { username: 'alice', password: 'secret' };

/** A trunk with two SRV targets. */
function benchOfTwo() {
  const resolver = {
    srv: (name: string) =>
      Promise.resolve(
        name === '_sip._udp.trunk.test'
          ? [
              { name: 'one', port: 5060, priority: 1, weight: 0 },
              { name: 'two', port: 5060, priority: 2, weight: 0 },
            ]
          : [],
      ),
    addresses: (host: string) => Promise.resolve(host === 'one' ? [THEIRS] : [OTHER]),
  };
  const bench = createBench({ resolver });
  const other = new ScriptedPeer(bench.network.attach(OTHER), OTHER);
  const dial = (changes: Partial<CallRequest> = {}) =>
    watch(bench.agent.call(callRequest({ target: 'sip:1@trunk.test', beginAttempt: async () => 'go', ...changes })));
  return { ...bench, other, dial };
}

describe('mayDial', () => {
  it('is called in the tick in which the INVITE is sent: if it returns false, nothing is sent', async () => {
    const { network, dial, settle } = benchOfTwo();
    const asked: number[] = [];
    const log = dial({ mayDial: () => asked.push(network.carried.length) < 0 });
    await settle();
    expect(asked).toEqual([0]);
    expect(network.carried).toEqual([]);
    expect(log.kinds()).toEqual(['ended']);
    expect(log.end()).toMatchObject({ outcome: 'not_dialled', by: 'local', sipCode: null });
  });

  it('if it returns true, the INVITE is sent before anything else can run', async () => {
    const { network, dial, settle } = benchOfTwo();
    let sentInTheSameTick = false;
    dial({
      mayDial: () => {
        queueMicrotask(() => {
          sentInTheSameTick = network.carried.length === 1;
        });
        return true;
      },
    });
    await settle();
    expect(sentInTheSameTick).toBe(true);
  });

  it('is called again before the INVITE that answers a challenge', async () => {
    const { peer, dial, settle } = benchOfTwo();
    let mayDial = true;
    const log = dial({ credentials: ALICE, mayDial: () => mayDial });
    await settle();
    mayDial = false;
    peer.respond(peer.last('INVITE'), 401, { toTag: 'a', headers: [['www-authenticate', CHALLENGE]] });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK']);
    expect(log.end()).toMatchObject({ outcome: 'not_dialled' });
  });

  it('is called again before the next target', async () => {
    const { peer, other, dial, settle } = benchOfTwo();
    let mayDial = true;
    const log = dial({ mayDial: () => mayDial });
    await settle();
    mayDial = false;
    peer.respond(peer.last('INVITE'), 503, { toTag: 'a' });
    await settle();
    expect(other.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'not_dialled' });
  });
});

describe('the next target', () => {
  it('is tried after a final 503, with the same call under a new CSeq and branch', async () => {
    const { peer, other, dial, settle } = benchOfTwo();
    const log = dial();
    await settle();
    const first = peer.last('INVITE');
    peer.respond(first, 503, { toTag: 'a' });
    await settle();
    const second = other.last('INVITE');
    expect(second.callId).toBe(first.callId);
    expect(second.cseq.number).toBe(first.cseq.number + 1);
    expect(second.headers.get('via')).not.toBe(first.headers.get('via'));
    other.respond(second, 503, { toTag: 'b', headers: [['retry-after', '7']] });
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'refused', sipCode: 503, retryAfterSeconds: 7 });
  });

  it('is tried when no byte could be sent', async () => {
    const { network, peer, other, dial, settle } = benchOfTwo();
    network.refused.add(`UDP ${THEIRS}`);
    dial();
    await settle();
    expect(peer.methods()).toEqual([]);
    expect(other.methods()).toEqual(['INVITE']);
  });

  it('is never tried without a response: the first target may have received the INVITE', async () => {
    const { clock, peer, other, dial, settle } = benchOfTwo();
    const log = dial();
    await settle();
    clock.turn(32_000);
    await settle();
    expect(peer.methods()).toEqual(Array.from({ length: 7 }, () => 'INVITE'));
    expect(other.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'silent', by: 'network', sipCode: null });
  });

  it.each([404, 486, 500, 600])('is never tried after %i', async (status) => {
    const { peer, other, dial, settle } = benchOfTwo();
    const log = dial();
    await settle();
    peer.respond(peer.last('INVITE'), status, { toTag: 'a' });
    await settle();
    expect(other.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'refused', sipCode: status });
  });

  it('a redirect is never followed', async () => {
    const { peer, other, dial, settle } = benchOfTwo();
    const log = dial();
    await settle();
    peer.respond(peer.last('INVITE'), 302, { toTag: 'a', headers: [['contact', `<sip:x@${OTHER}>`]] });
    await settle();
    expect(other.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'redirected', sipCode: 302 });
  });

  it('without a target nothing is sent', async () => {
    const { network, dial, settle } = benchOfTwo();
    network.refused.add(`UDP ${THEIRS}`).add(`UDP ${OTHER}`);
    const log = dial();
    await settle();
    expect(log.kinds()).toEqual(['ended']);
    expect(log.end()).toMatchObject({ outcome: 'unsent', by: 'network', detail: expect.stringContaining('refused') });
    const unknown = dial({ target: 'sip:1@192.0.2.1;transport=sctp' });
    await settle();
    expect(unknown.end()).toMatchObject({ outcome: 'unsent' });
  });
});

const challenged = async (first: string, second: string) => {
  const bench = benchOfTwo();
  const log = bench.dial({ credentials: ALICE });
  await bench.settle();
  for (const value of [first, second]) {
    const headers = [['proxy-authenticate', value]] as const;
    bench.peer.respond(bench.peer.last('INVITE'), 407, { toTag: 'a', headers });
    await bench.settle();
  }
  return { ...bench, log };
};

describe('credentials', () => {
  it('that are wrong are tried once', async () => {
    const { peer, log } = await challenged(CHALLENGE, CHALLENGE.replace('"n"', '"m"'));
    expect(peer.all('INVITE')).toHaveLength(2);
    expect(log.end()).toMatchObject({ outcome: 'unauthorized', by: 'remote', sipCode: 407 });
  });

  it('are tried again with the nonce that replaces a stale one', async () => {
    const { peer, log } = await challenged(CHALLENGE, `${CHALLENGE.replace('"n"', '"m"')}, stale=true`);
    expect(peer.last('INVITE').headers.get('proxy-authorization')).toMatch(/nonce="m"/);
    expect(log.end()).toBeUndefined();
  });

  it('go with the ACK of the 2xx too, and with a challenged BYE', async () => {
    const { agent, peer, settle } = createBench();
    const session = agent.call(callRequest({ credentials: ALICE }));
    const log = watch(session);
    await settle();
    peer.respond(peer.last('INVITE'), 401, { toTag: 'x', headers: [['www-authenticate', CHALLENGE]] });
    await settle();
    peer.respond(peer.last('INVITE'), 200, { toTag: 'a', ...SDP_PARTS });
    await settle();
    const [invite, ack] = [peer.last('INVITE'), peer.last('ACK')];
    expect(ack.headers.get('authorization')).toBe(invite.headers.get('authorization'));
    session.hangUp();
    await settle();
    const headers = [['www-authenticate', CHALLENGE.replace('"n"', '"m"')]] as const;
    peer.respond(peer.last('BYE'), 401, { headers });
    await settle();
    expect(peer.last('BYE').headers.get('authorization')).toMatch(/nonce="m"/);
    peer.respond(peer.last('BYE'), 401, { headers });
    await settle();
    expect(peer.all('BYE')).toHaveLength(2);
    expect(log.end()).toMatchObject({ outcome: 'completed' });
  });
});

describe('the content of an INVITE', () => {
  it('422 raises the session interval once (RFC 4028 section 7.3)', async () => {
    const { peer, dial, settle } = benchOfTwo();
    const log = dial();
    await settle();
    for (let round = 0; round < 2; round += 1) {
      peer.respond(peer.last('INVITE'), 422, { toTag: 'a', headers: [['min-se', '3600']] });
      await settle();
    }
    expect(peer.all('INVITE').map(({ headers }) => headers.get('session-expires'))).toEqual(['1800', '3600']);
    expect(peer.last('INVITE').headers.get('min-se')).toBe('3600');
    expect(log.end()).toMatchObject({ outcome: 'refused', sipCode: 422 });
  });

  it('an outbound proxy is a loose route, and receives every request', async () => {
    const { agent, peer, settle } = createBench();
    watch(agent.call(callRequest({ target: 'sip:1@far.test', outboundProxy: `sip:${THEIRS}` })));
    await settle();
    const invite = peer.last('INVITE');
    expect(invite.uri).toBe('sip:1@far.test');
    expect(invite.headers.all('route')).toEqual([`<sip:${THEIRS};lr>`]);
  });

  it('is sent over TCP beyond 1,300 bytes, and over UDP where there is no TCP (RFC 3261 section 18.1.1)', async () => {
    const headers = { 'X-Long': 'x'.repeat(1_300) };
    for (const [refused, transport] of [
      [undefined, 'TCP'],
      [`TCP ${THEIRS}`, 'UDP'],
    ] as const) {
      const { agent, network, peer, settle } = createBench();
      if (refused !== undefined) network.refused.add(refused);
      watch(agent.call(callRequest({ headers })));
      await settle();
      expect(network.carried[0]?.transport).toBe(transport);
      expect(peer.last('INVITE').via.transport).toBe(transport);
      expect(peer.last('INVITE').headers.get('contact')?.includes('transport=tcp')).toBe(transport === 'TCP');
    }
  });
});
