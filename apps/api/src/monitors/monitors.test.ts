import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { auditPageSchema, callIdSchema, newSoundMessage, overMessage, type CallId } from '@outdial/contracts';
import { connectForCommands, createCallSoundPublisher, type CallSoundPublisher } from '@outdial/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { claimCall, driveCall } from '../../test/drive.ts';
import { openDesk, type Desk } from '../../test/desk.ts';
import { openMonitor, refusedMonitor, type MonitorClient } from '../../test/monitor-client.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import type { TestAccount } from '../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
let redis: ReturnType<typeof connectForCommands>;
let worker: CallSoundPublisher;
beforeAll(async () => {
  api = await openApi();
  redis = connectForCommands(api.stores.redisUrl);
  worker = createCallSoundPublisher({ redis });
  await once(redis, 'ready');
});
beforeEach(async () => {
  account = await api.account();
  member = await openDesk(api, account.id, 'member');
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

async function newCall(of = account): Promise<CallId> {
  const answer = await api.request('POST', '/outbound/calls', { key: of.key, json: of.newCall });
  return callIdSchema.parse(answer.call().id);
}

async function liveCall(of = account): Promise<CallId> {
  const callId = await newCall(of);
  await claimCall(api.database, callId);
  return callId;
}

async function listen(callId: CallId, desk = member, of = account): Promise<MonitorClient> {
  const monitor = await openMonitor({ url: api.url, accountId: of.id, callId }, desk.headers);
  onTestFinished(() => monitor.socket.terminate());
  return monitor;
}

/** Sends sound as a worker does, until it arrives: the subscription takes a moment. */
async function untilHeard(callId: CallId, ...monitors: readonly MonitorClient[]): Promise<void> {
  await expect
    .poll(() => {
      say(callId, 0);
      return monitors.every(({ heard }) => heard.length > 0);
    })
    .toBe(true);
}

function say(callId: CallId, firstFrame: number, samples = 1_600): void {
  worker.publish(callId, newSoundMessage(firstFrame, samples).message);
}

const auditOf = async (desk: Desk) => {
  const answer = await desk.request('GET', 'audit?subject=call');
  return auditPageSchema.parse(answer.json).entries.map(({ action, subject_id: id, data }) => ({ action, id, data }));
};

const metric = async (name: string) => {
  const text = await (await fetch(api.metricsUrl)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
};

describe('a member who listens to a live call', () => {
  it('hears both sides until the call ends, and stands in the audit with the time', async () => {
    const owner = await openDesk(api, account.id);
    const callId = await liveCall();
    const monitor = await listen(callId);
    await untilHeard(callId, monitor);
    expect(await auditOf(owner)).toMatchObject([{ action: 'call.listen', id: callId }]);
    const count = monitor.heard.length;
    say(callId, 4_711);
    expect((await monitor.until(count + 1)).at(-1)).toMatchObject({ kind: 'sound', firstFrame: 4_711 });
    worker.publish(callId, overMessage());
    expect(await monitor.closed).toBe(4_000);
    await expect
      .poll(() => auditOf(owner))
      .toMatchObject([{ action: 'call.stop_listening', id: callId, data: { seconds: 0 } }, { action: 'call.listen' }]);
  });

  it('hears only the own call, and shares it with other members', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const monitors = [await listen(one), await listen(one), await listen(other)] as const;
    await untilHeard(one, monitors[0], monitors[1]);
    expect(monitors[2].heard).toEqual([]);
    monitors[0].socket.close();
    await monitors[0].closed;
    say(one, 9);
    await expect.poll(() => monitors[1].heard.at(-1)).toMatchObject({ firstFrame: 9 });
  });

  it('is cut off when the call has ended, even if no worker says so', async () => {
    const callId = await newCall();
    const monitor = await listen(callId);
    await driveCall(api.database, callId);
    expect(await monitor.closed).toBe(4_000);
  });

  it('is cut off when the session ends', async () => {
    const callId = await liveCall();
    const monitor = await listen(callId);
    await untilHeard(callId, monitor);
    await member.end();
    expect(await monitor.closed).toBe(4_001);
  });

  it('is asked to connect again when its process stops', async () => {
    const callId = await liveCall();
    const another = await api.startAnother();
    const monitor = await openMonitor({ url: another.url, accountId: account.id, callId }, member.headers);
    await another.stop();
    expect(await monitor.closed).toBe(4_004);
    // Its place is free: it was left, and not lost.
    expect(await redis.zcard(`{outdial}:monitors-of:${account.id}`)).toBe(0);
  });

  it('learns that a call has ended before', async () => {
    const callId = await newCall();
    await driveCall(api.database, callId);
    expect(await (await listen(callId)).closed).toBe(4_000);
    expect(await auditOf(await openDesk(api, account.id))).toEqual([]);
  });
});

describe('the five places of an account', () => {
  it('are all that it gets, over all its calls and members; one that leaves makes room', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const owner = await openDesk(api, account.id);
    const places = await Promise.all([listen(one), listen(one), listen(other, owner), listen(other), listen(one)]);
    await untilHeard(one, ...places.filter((_, nth) => [0, 1, 4].includes(nth)));
    await expect.poll(() => redis.zcard(`{outdial}:monitors-of:${account.id}`)).toBe(5);
    expect(await (await listen(other)).closed).toBe(4_002);
    places[2].socket.close();
    await expect.poll(() => redis.zcard(`{outdial}:monitors-of:${account.id}`)).toBe(4);
    const late = await listen(other);
    await untilHeard(other, late);
  });

  it('are no other account’s: greedy neighbors take none of them', async () => {
    const greedy = await api.account();
    const desk = await openDesk(api, greedy.id);
    const theirs = await liveCall(greedy);
    await Promise.all(Array.from({ length: 12 }, () => listen(theirs, desk, greedy)));
    const callId = await liveCall();
    const monitor = await listen(callId);
    await untilHeard(callId, monitor);
    expect(await redis.zcard(`{outdial}:monitors-of:${account.id}`)).toBe(1);
  });
});

describe('a browser that reads too slowly', () => {
  it('misses sound, and neither grows the memory of the process nor delays another', async () => {
    const callId = await liveCall();
    const [slow, quick] = [await listen(callId), await listen(callId)];
    await untilHeard(callId, slow, quick);
    slow.socket.pause();
    const droppedBefore = await metric('outdial_monitor_messages_total{outcome="dropped"}');
    let frame = 1;
    // A second in each message, until the buffers of the kernel are full too.
    await expect
      .poll(
        async () => {
          for (let nth = 0; nth < 4; nth += 1) say(callId, (frame += 50), 16_000);
          await quick.until(quick.heard.length);
          return metric('outdial_monitor_messages_total{outcome="dropped"}');
        },
        { interval: 1, timeout: 20_000 },
      )
      .toBeGreaterThan(droppedBefore + 200);
    say(callId, 1_000_000);
    await expect.poll(() => quick.heard.at(-1)).toMatchObject({ firstFrame: 1_000_000 });
  });
});

const path = (callId: string, accountId: string = account.id) => ({ url: api.url, accountId, callId });

describe('who may not listen', () => {
  it('401 without a session', async () => {
    const { 'Sec-Fetch-Site': site = '' } = member.headers;
    expect(await refusedMonitor(path(await liveCall()), { 'Sec-Fetch-Site': site })).toEqual([401, 'not_signed_in']);
  });

  it('403 for a page of another origin, whose browser sends the cookie', async () => {
    const { Cookie = '' } = member.headers;
    const callId = await liveCall();
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: api.url },
      { 'Sec-Fetch-Site': 'same-site' },
      {},
    ];
    for (const headers of foreign) {
      expect(await refusedMonitor(path(callId), { Cookie, ...headers })).toEqual([403, 'origin_not_allowed']);
    }
    const own = await openMonitor(path(callId), { Cookie, Origin: api.url });
    own.socket.close();
    await own.closed;
  });

  it('404 for a call of another account, an unknown one, and an account that one is no member of', async () => {
    const stranger = await api.account();
    const theirs = await liveCall(stranger);
    for (const callId of [theirs, randomUUID(), 'x']) {
      expect(await refusedMonitor(path(callId), member.headers)).toEqual([404, 'call_not_found']);
    }
    expect(await refusedMonitor(path(theirs, stranger.id), member.headers)).toEqual([404, 'account_not_found']);
  });

  it('404 for a request that asks for no WebSocket', async () => {
    const answer = await member.request('GET', `outbound/calls/${await liveCall()}/monitor`);
    expect([answer.status, answer.error().code]).toEqual([404, 'not_found']);
  });
});

describe('what a monitor sends', () => {
  it('ends its connection, whatever it is: it only listens', async () => {
    const callId = await liveCall();
    const [talking, flooding] = [await listen(callId), await listen(callId)];
    talking.socket.send('hello');
    flooding.socket.send(Buffer.alloc(1_000_000));
    expect(await Promise.all([talking.closed, flooding.closed])).toEqual([4_005, 1_009]);
    await expect.poll(() => redis.zcard(`{outdial}:monitors-of:${account.id}`)).toBe(0);
  });
});
