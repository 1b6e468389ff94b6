import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createLogger } from '@outdial/kernel';
import { connectForWaiting, subscribeToEndSignals } from '@outdial/queue';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, withId, type AdminDriver } from '../testing/admin-driver.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

/** What a claimed call has and a queued one lacks. */
function claimed(nowMs: number) {
  const leaseExpiresAt = new Date(nowMs + 60_000);
  return { status: 'dialing', workerId: 'worker', epoch: 1, startedAt: new Date(nowMs + 1), leaseExpiresAt } as const;
}

/** What a scheduled call has and a queued one lacks, which holds nothing. */
const SCHEDULED = { status: 'scheduled', reservationId: null, holdMicros: 0n } as const;

interface CallOptions {
  readonly isClaimed?: boolean;
  readonly scheduledFor?: Date;
}

/** A queued call, a claimed one with `isClaimed`, or a scheduled one with its time. */
async function queueCall(accountId: string, { isClaimed = false, scheduledFor }: CallOptions = {}): Promise<string> {
  const { agent } = z
    .object({ agent: withId })
    .parse(
      await driver.json(
        ['agents', 'create', '--account', accountId, '--settings', '-'],
        '{"name":"A","first_message":"Hi."}',
      ),
    );
  const nowMs = Date.now();
  const { id } = await driver.database.side.call.create({
    data: {
      id: randomUUID(),
      accountId,
      agentId: agent.id,
      agentVersion: 1,
      callerNumber: '+12025550199',
      calleeNumber: '+12025550100',
      currency: 'USD',
      ratePrefix: '1',
      connectionFeeMicros: 0n,
      pricePerMinuteMicros: 12_000n,
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
      reservationId: randomUUID(),
      holdMicros: 24_000n,
      maxDurationSeconds: 1_800,
      ringTimeoutSeconds: 30,
      requestId: 'request',
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + 600_000),
      ...(isClaimed ? claimed(nowMs) : {}),
      ...(scheduledFor === undefined ? {} : SCHEDULED),
    },
  });
  if (scheduledFor !== undefined) await schedule({ callId: id, accountId, dueAt: scheduledFor });
  return id;
}

async function schedule({ dueAt, ...call }: { callId: string; accountId: string; dueAt: Date }): Promise<void> {
  const giveUpAt = new Date(dueAt.getTime() + 86_400_000);
  const waiting = { isWaiting: true, waitingFor: 'capacity', queueTtlSeconds: 600 };
  await driver.database.side.callSchedule.create({
    data: { ...call, scheduledFor: dueAt, dueAt, giveUpAt, ...waiting },
  });
}

describe('calls', () => {
  test('are listed by account and state, and shown by their id alone', async () => {
    const account = await driver.createAccount();
    const id = await queueCall(account);
    const call = { id, owner_id: account, status: 'queued', reserved: 0.024, cost: 0, ended_reason: null };
    const list = ['calls', 'list', '--account', account];
    expect(await driver.json([...list, '--status', 'queued'])).toMatchObject({ calls: [call] });
    expect(await driver.json([...list, '--status', 'ended'])).toEqual({ calls: [] });
    expect(await driver.json([...list, '--to', '+12025550101'])).toEqual({ calls: [] });
    expect(await driver.json([...list, '--after', '2100-01-01T00:00:00Z'])).toEqual({ calls: [] });
    expect(await driver.json(['calls', 'show', id])).toMatchObject({ call });
    expect((await driver.run(['calls', 'show', id])).stdout).toMatch(/^Status +queued$/m);
  });

  test('that are scheduled are listed with their time and what they wait for, and ended', async () => {
    const account = await driver.createAccount();
    const scheduledFor = new Date(Date.UTC(2126, 0, 2, 9));
    const id = await queueCall(account, { scheduledFor });
    const list = ['calls', 'list', '--account', account, '--status', 'scheduled'];
    const facts = { scheduled_for: '2126-01-02T09:00:00.000Z', waiting_for: 'capacity', attempt: 1, retry_of: null };
    expect(await driver.json(list)).toMatchObject({ calls: [{ id, status: 'scheduled', reserved: 0, ...facts }] });
    const { stdout } = await driver.run(list);
    expect(stdout).toMatch(/STATUS +DUE +WAITING FOR/);
    expect(stdout).toMatch(/scheduled +2126-01-02 09:00:00Z +capacity/);
    expect((await driver.run(['calls', 'show', id])).stdout).toMatch(/^Expires +2126-01-03 09:00:00Z$/m);
    expect(await driver.json(['calls', 'end', id])).toMatchObject({
      call: { status: 'ended', ended_reason: 'cancelled', cost: 0, waiting_for: null },
    });
    expect((await driver.run(['calls', 'show', id])).stdout).toMatch(/Z {2}ended {2}ended_reason=cancelled$/m);
  });

  test('are ended, and the end is audited', async () => {
    const id = await queueCall(await driver.createAccount());
    const end = ['calls', 'end', id, '--actor', 'ada'];
    expect(await driver.json(end)).toMatchObject({
      call: { status: 'ended', ended_reason: 'cancelled', cost: 0, billable_seconds: 0 },
    });
    expect((await driver.run(end)).stdout).toContain('It had already ended.');
    expect(await driver.actorOf(id)).toBe('ada');
  });

  test('that a worker drives end at once, before the worker next reads Postgres', async () => {
    const id = await queueCall(await driver.createAccount(), { isClaimed: true });
    const redis = connectForWaiting(driver.redisUrl);
    // Matched by name: other tests end their calls over the same Redis.
    const heard = new EventTarget();
    const onEndRequested = (callId: string) => heard.dispatchEvent(new Event(callId));
    await subscribeToEndSignals({ redis, logger, onEndRequested });
    const hearing = once(heard, id);
    const done = await driver.run(['calls', 'end', id]);
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^It is being ended\./) });
    await hearing;
    redis.disconnect();
  });

  test('are ended while Redis is away', async () => {
    const id = await queueCall(await driver.createAccount());
    const done = await driver.run(['calls', 'end', id], { env: { REDIS_URL: '' } });
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('cancelled') });
  });
});
