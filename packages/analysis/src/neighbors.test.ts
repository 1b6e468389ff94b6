import type { OpenedCredential } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { createEgressClient, egressEnv, type EgressClient } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChatServer, type ChatServer } from '../test/chat-server.ts';
import { logger, openWorld, type Ended, type World } from '../test/world.ts';
import { analyzeNext } from './analyze-next.ts';
import { createChatCompletions } from './chat-completions.ts';
import type { AnalysisDeps } from './ports.ts';
import { createShares } from './shares.ts';

let world: World;
let server: ChatServer;
let egress: EgressClient;
beforeAll(async () => {
  world = await openWorld();
  server = await startChatServer(() => ({ content: JSON.stringify({ summary: 'She will come.' }) }));
  egress = createEgressClient({ allowed: egressEnv.OUTDIAL_EGRESS_ALLOW.schema.parse('127.0.0.0/8'), proxy: null });
});
afterAll(async () => {
  await server.close();
  await egress.close();
  await world.close();
});

/** A worker. `hold` is awaited before an analysis of that account goes on; `begun` has each analysis in order. */
function worker(perAccount: number, hold: (accountId: AccountId) => Promise<void> = async () => undefined) {
  const begun: AccountId[] = [];
  const open = createChatCompletions(egress);
  const opened: OpenedCredential = { credentialId: 'c', provider: 'openai', apiKey: 'sk', baseUrl: server.url };
  const deps: AnalysisDeps = {
    store: world.store,
    gate: world.gate,
    funds: world.funds,
    limits: world.reconcileStore,
    chooser: {
      async choose({ accountId }) {
        begun.push(accountId);
        await hold(accountId);
        return { credentialId: 'c', isOwn: false };
      },
    },
    opener: { open: async () => [opened], openSecrets: async () => new Map() },
    prices: { ratesOf: async () => [] },
    openModel: (choice, credential) => open(choice, credential, false),
    clock: systemClock,
    logger,
  };
  const shares = createShares({ clock: systemClock, perAccount });
  const stopping = new AbortController();
  return {
    begun,
    job: (callId: CallId) => analyzeNext(deps, shares, callId, stopping.signal),
    stop: () => stopping.abort(),
  };
}

async function backlog(size: number): Promise<readonly [Ended, ...Ended[]]> {
  const first = await world.ended();
  const rest: Ended[] = [];
  while (rest.length < size - 1) rest.push(await world.ended({ sibling: first }));
  return [first, ...rest];
}

async function statusOf({ accountId, callId }: Ended) {
  const call = await world.reader.find(accountId, callId);
  return call?.status === 'ended' ? call.analysisStatus : null;
}

test('an account whose provider hangs holds its share of a worker, and delays no analysis of a neighbor', async () => {
  const calls = await backlog(6);
  const answered = new AbortController();
  const busy = worker(2, async (accountId) => {
    if (accountId !== calls[0].accountId || answered.signal.aborted) return;
    await new Promise((resolve) => answered.signal.addEventListener('abort', resolve));
  });
  // The worker's places are all taken by jobs of the busy account.
  const places = calls.slice(0, 4).map(({ callId }) => busy.job(callId));
  await expect.poll(() => busy.begun.length).toBe(2);

  const neighbor = await world.ended();
  await expect.poll(() => statusOf(neighbor), { timeout: 20_000 }).toBe('completed');
  expect(busy.begun).toEqual([calls[0].accountId, calls[0].accountId, neighbor.accountId]);

  answered.abort();
  expect(await Promise.all(places)).toEqual(places.map(() => ({ kind: 'done' })));
  // Each job did one analysis: those that are left do the rest.
  for (const { callId } of [...calls.slice(4), neighbor]) await busy.job(callId);
  expect(await Promise.all([...calls, neighbor].map(statusOf))).toEqual(Array(7).fill('completed'));
});

test('accounts take turns, however long the backlog of one is', async () => {
  const calls = await backlog(4);
  const neighbors = [await world.ended(), await world.ended()];
  const { begun, job } = worker(1);
  for (const { callId } of [...calls, ...neighbors]) await job(callId);
  expect(new Set(begun.slice(0, 3)).size).toBe(3);
  expect(begun.slice(3)).toEqual(Array(3).fill(calls[0].accountId));
});

test('several workers divide a backlog, and analyze each call once', async () => {
  const calls = await backlog(8);
  const before = server.requests.length;
  const [one, other] = [worker(4), worker(4)];
  await Promise.all(calls.map(({ callId }, index) => (index % 2 === 0 ? one : other).job(callId)));
  expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 'completed'));
  expect(server.requests.length - before).toBe(8);
});

test('a worker that stops gives its waiting jobs back', async () => {
  const calls = await backlog(2);
  const answered = new AbortController();
  const stopped = worker(
    1,
    () => new Promise((resolve) => answered.signal.addEventListener('abort', () => resolve(), { once: true })),
  );
  const running = stopped.job(calls[0].callId);
  await expect.poll(() => stopped.begun.length).toBe(1);
  const waiting = stopped.job(calls[0].callId);
  stopped.stop();
  expect(await waiting).toEqual({ kind: 'later', afterMs: 1_000 });
  answered.abort();
  await running;
});
