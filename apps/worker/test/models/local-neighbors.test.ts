import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PinnedModel } from '@outdial/calls';
import { newCallId, newReservationId } from '@outdial/calls/testing';
import { micros, type AccountId, type AgentId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { createAdministration, createLineDirectory, createReconcileStore } from '@outdial/persistence';
import { createLineGate } from '@outdial/reservations';
import { seedAccount } from '@outdial/persistence/seeding';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

/** Of the operator's server, for each of its parts. */
const LINES = 4;
const PACE_MS = 3;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

interface Party {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
}

/** Calls over one local server of the operator, as far as the gates see them. */
async function openLocalServer() {
  const { database, gate, redis } = stage;
  const key = { apiKey: 'no-key', region: null, secretKey: randomBytes(32), baseUrl: 'http://10.20.0.7:8000/v1' };
  const limits = { maxConcurrentCalls: LINES };
  const { id } = await createAdministration(database, { actor: 'ops' })
    .credentialsOf(null)
    .create({ provider: 'local', name: 'local', ...key, ...limits });
  const models = (['stt', 'llm', 'tts'] as const).map((component): PinnedModel => {
    return { component, provider: 'local', model: 'm', credentialId: id, isOwn: false, isFallback: false };
  });
  const lineGate = createLineGate({ redis });
  const { token } = await gate.state();
  invariant(token !== null, 'the gate is open');
  await lineGate.restore(token, []);

  async function begin({ accountId, agentId }: Party) {
    const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
    const [limitsOfAccount] = await createReconcileStore(database).limitsOf([accountId]);
    invariant(limitsOfAccount, 'the account exists');
    const { token: current } = await gate.state();
    invariant(current !== null, 'the gate is open');
    await gate.loadAccount(current, limitsOfAccount);
    expect(await gate.reserve({ ...call, holdMicros: micros(1) })).toMatchObject({ kind: 'reserved' });
    const plan = { driver: 'cascade', models } as const;
    const lines = await createLineDirectory(database).linesOfPlan({ accountId, agentId, agentVersion: 1 }, plan);
    return {
      async ask() {
        // A line lets one call begin in a millisecond.
        await setTimeout(PACE_MS);
        return lineGate.acquire({ callId: call.callId, trunks: [], lines });
      },
      end: () => gate.release(call),
    };
  }
  return { begin };
}

test('the calls of one account hold at most half of a local server of the operator while another account waits', async () => {
  const busy: Party = stage;
  const { id: accountId } = await seedAccount(stage.database, {});
  const neighbor: Party = { accountId, agentId: stage.agentId };
  const server = await openLocalServer();
  const running = [];
  for (let calls = 0; calls < LINES; calls += 1) running.push(await server.begin(busy));
  // As long as no other account asks, the server is not left idle.
  for (const call of running) expect(await call.ask()).toMatchObject({ kind: 'acquired' });

  const waiting = await server.begin(neighbor);
  const next = await server.begin(busy);
  const turn = await waiting.ask();
  invariant(turn.kind === 'wait', 'the server is full');
  // One place is kept for the call that waits. The other would be more than half for the busy account.
  for (const call of running.slice(0, LINES / 2)) await call.end();
  // The gate collects what ended before the turn that it named.
  await setTimeout(turn.forMs);
  expect(await next.ask()).toMatchObject({ kind: 'wait' });
  expect(await waiting.ask()).toMatchObject({ kind: 'acquired' });
});
