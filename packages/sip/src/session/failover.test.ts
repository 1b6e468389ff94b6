import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { callRequest, createBench, SDP_PARTS, watch } from '../../test/bench.ts';
import { ScriptedPeer } from '../../test/scripted-peer.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import type { AttemptDecision } from './call-request.ts';

const CREDENTIALS = { username: 'alice', password: 'secret' };

/** What a target does with a call. `away`: nothing can be sent to it. */
const BEHAVIORS = ['away', 'silent', 'congested', 'rings, congested', 'asks, congested', 'busy', 'answers'] as const;
type Behavior = (typeof BEHAVIORS)[number];

interface Story {
  readonly targets: readonly Behavior[];
  /** The decision for each request for a target; `go` from then on. */
  readonly decisions: readonly AttemptDecision[];
  /** How many INVITEs may be sent. */
  readonly rights: number;
}

interface Course {
  /** INVITE transactions that reached each target. */
  readonly reached: readonly number[];
  readonly asked: number;
  readonly outcome: string;
}

/** The expected course, by the rules alone. */
function expected({ targets, decisions, rights }: Story): Course {
  const reached = targets.map(() => 0);
  let [asked, left, soFar] = [0, rights, 'unsent'];
  const ends = (outcome: string): Course => ({ reached, asked, outcome });
  for (const [index, behavior] of targets.entries()) {
    if (behavior === 'away') continue;
    const decision = decisions[asked] ?? 'go';
    asked += 1;
    if (decision !== 'go') return ends(decision === 'stop' ? 'not_dialled' : soFar);
    for (let invites = behavior === 'asks, congested' ? 2 : 1; invites > 0; invites -= 1) {
      if (left === 0) return ends('not_dialled');
      left -= 1;
      reached[index] = (reached[index] ?? 0) + 1;
    }
    if (behavior === 'silent') return ends('silent');
    if (behavior === 'busy') return ends('refused 486');
    if (behavior === 'answers') return ends('answered');
    soFar = 'refused 503';
  }
  return ends(soFar);
}

const addressOf = (index: number): string => `10.0.1.${index + 1}`;
const branchOf = (request: ReceivedRequest): string => request.headers.get('via') ?? '';

function play(peer: ScriptedPeer, behavior: Behavior, request: ReceivedRequest): void {
  if (request.method !== 'INVITE') return;
  const isFirst = new Set(peer.all('INVITE').map(branchOf)).size === 1;
  if (behavior === 'rings, congested') peer.respond(request, 180, { toTag: 'a' });
  if (behavior === 'asks, congested' && isFirst) {
    // Each target has its own nonces, and does not call another target's nonce stale.
    const challenge = `Digest realm="trunk", nonce="${branchOf(request)}", qop="auth"`;
    peer.respond(request, 407, { toTag: 'a', headers: [['proxy-authenticate', challenge]] });
  } else if (behavior.endsWith('congested')) peer.respond(request, 503, { toTag: 'a' });
  if (behavior === 'busy') peer.respond(request, 486, { toTag: 'a' });
  if (behavior === 'answers') peer.respond(request, 200, { toTag: 'a', ...SDP_PARTS });
}

async function run({ targets, decisions, rights }: Story): Promise<Course & { readonly unrefused: number }> {
  const records = targets.map((_, index) => ({ name: addressOf(index), port: 5060, priority: index, weight: 0 }));
  const resolver = {
    srv: async (name: string) => (name === '_sip._udp.trunk.test' ? records : []),
    addresses: async (host: string) => [host],
  };
  const { agent, network, clock, settle } = createBench({ resolver });
  const peers = targets.map((behavior, index) => {
    const peer = new ScriptedPeer(network.attach(addressOf(index)), addressOf(index));
    if (behavior === 'away') network.refused.add(`UDP ${addressOf(index)}`);
    peer.onRequest = (request) => play(peer, behavior, request);
    return peer;
  });
  let [asked, left] = [0, rights];
  const log = watch(
    agent.call(
      callRequest({
        target: 'sip:1@trunk.test',
        credentials: CREDENTIALS,
        mayDial: () => (left -= 1) >= 0,
        beginAttempt: async () => {
          asked += 1;
          return decisions[asked - 1] ?? 'go';
        },
      }),
    ),
  );
  for (let step = 0; step < 10; step += 1) await settle();
  clock.turn(33_000);
  await settle();
  const branches = peers.map((peer) => new Set(peer.all('INVITE').map(branchOf)));
  const refusals = peers.map((peer) => new Set(peer.all('ACK').map(branchOf)));
  const unrefused = branches.flatMap((sent, index) => [...sent].filter((branch) => !refusals[index]?.has(branch)));
  const end = log.end();
  const outcome = log.kinds().includes('answered') ? 'answered' : `${end?.outcome} ${end?.sipCode ?? ''}`.trim();
  return { reached: branches.map(({ size }) => size), asked, outcome, unrefused: unrefused.length };
}

test('whatever its targets do, a call has at most one INVITE without a final response, and every target was permitted first', async () => {
  const story = fc.record({
    targets: fc.array(fc.constantFrom(...BEHAVIORS), { minLength: 1, maxLength: 5 }),
    decisions: fc.array(fc.constantFrom<AttemptDecision>('go', 'go', 'stay', 'stop'), { maxLength: 4 }),
    rights: fc.integer({ min: 0, max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async (log) => {
      const { unrefused, ...course } = await run(log);
      expect(course).toEqual(expected(log));
      expect(unrefused).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});

test('without beginAttempt, no other target is tried', async () => {
  const { agent, network, peer, settle } = createBench({
    resolver: { srv: async () => [], addresses: async () => ['10.0.0.2', '10.0.0.3'] },
  });
  const other = new ScriptedPeer(network.attach('10.0.0.3'), '10.0.0.3');
  const log = watch(agent.call(callRequest({ target: 'sip:1@trunk.test' })));
  await settle();
  peer.respond(peer.last('INVITE'), 503, { toTag: 'a' });
  await settle();
  expect(other.methods()).toEqual([]);
  expect(log.end()).toMatchObject({ outcome: 'refused', sipCode: 503 });
});
