import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { RowRejected } from '../ports/accept-store.ts';
import { LEASE_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a failing agent', () => {
  test('that cannot be prepared: the call is hung up, agent_error', async () => {
    const world = new DriveWorld();
    world.agentFails = true;
    await world.drive();
    expect(world.leg.hangUps).toBe(1);
    expect(world.settlement).toMatchObject({ reason: 'agent_error', failure: { code: 'agent_failed', field: null } });
  });

  test('whose stored settings are not valid: nothing is dialed, agent_error, at no cost', async () => {
    const warnings: string[] = [];
    const settings = { kind: 'unusable', problem: 'lines.1: must not be empty' } as const;
    const world = new DriveWorld({ settings, warnings });
    await world.drive();
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({
      reason: 'agent_error',
      neverDialled: true,
      charge: { costMicros: 0n },
      failure: { code: 'settings_unusable', field: null },
    });
    expect(warnings).toEqual(['no agent for the call: its stored settings are not valid']);
    expect(world.releases).toHaveLength(1);
  });

  test('whose transcript Postgres rejects: the call ends without it', async () => {
    const world = new DriveWorld();
    world.conversation.result = { transcript: [], summary: 'x', answeredBy: 'human', recordingKey: 'a.wav' };
    const { leg, driving } = await world.answer();
    world.store.settleError = new RowRejected(new Error('invalid input syntax for type json'));
    world.store.before = (verb) => {
      if (verb === 'settle' && world.store.asked.filter((asked) => asked === 'settle').length > 1)
        world.store.settleError = undefined;
    };
    leg.end({ outcome: 'completed' });
    await pass(200);
    await driving;
    expect(world.settlement).toMatchObject({ transcript: null, summary: null, recordingKey: 'a.wav' });
  });
});

describe('when the process ends', () => {
  test('a live call is hung up and settled by this process', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(20_000);
    world.driver.hangUpAll();
    await world.driver.idle();
    await driving;
    expect(leg.hangUps).toBe(1);
    expect(world.settlement.reason).toBe('worker_lost');
  });

  test('a call whose leg is not confirmed gone is handed over at once', async () => {
    const world = new DriveWorld();
    world.carrier.confirmsAfterMs = null;
    await world.answer();
    world.driver.hangUpAll();
    await pass(1_000);
    await world.driver.handOverAll();
    expect(world.store.settlements).toHaveLength(0);
    expect(world.store.leaseExpiresAtMs).toBeLessThanOrEqual(Date.now());
    await pass(LEASE_MS);
    expect(world.store.leaseExpiresAtMs).toBeLessThan(Date.now());
  });

  test('a call that waits for Postgres is given up', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.away = true;
    leg.end({ outcome: 'completed' });
    await pass(1_000);
    await world.driver.handOverAll();
    await driving;
    expect(world.store.settlements).toHaveLength(0);
    expect(world.driver.liveCalls()).toBe(0);
  });

  test('an orphan whose far end does not answer is not waited for', async () => {
    const world = new DriveWorld();
    await world.claim(LEASE_MS);
    await world.store.saveDialog({ callId, epoch: 1, carrier: 'fake', dialog: { leg: 1 } });
    await pass(LEASE_MS);
    world.carrier.orphanAnswer = 'silent';
    void world.drive();
    await pass(0);
    expect(world.carrier.orphansEnded).toHaveLength(1);
    let idle = false;
    void world.driver.idle().then(() => (idle = true));
    await pass(0);
    expect(idle).toBe(true);
  });
});
