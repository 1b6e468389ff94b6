import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '@outdial/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { openCall, until } from '../../test/media-thread.ts';
import { RtpPeer } from '../../test/rtp-peer.ts';
import { createMediaClient } from './media-client.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A real thread with a call, answered by a peer on loopback. */
async function setUp(mayTalkMs: number) {
  const { port1, port2 } = new MessageChannel();
  const entry = new URL('../../test/worker/media-worker.mjs', import.meta.url);
  const execArgv = ['--conditions=@outdial/source'];
  const spokenFrames = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(entry, { workerData: { port: port2, spokenFrames }, transferList: [port2], execArgv });
  let lost = false;
  const client = createMediaClient({
    port: port1,
    clock: systemClock,
    onMetrics: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
    onLost: () => (lost = true),
  });
  // On a busy machine, starting the thread takes longer than a call waits for its ports, or may talk.
  await once(worker, 'message');
  const call = openCall({ client, clock: systemClock }, mayTalkMs);
  const peer = await RtpPeer.open();
  closers.push(
    () => worker.terminate(),
    () => peer.close(),
  );
  const outcome = await call.session.opened;
  expect(outcome.kind).toBe('opened');
  call.session.setRemote(peer.media());
  return { ...call, client, peer, spokenFrames, worker, isLost: () => lost };
}

/** Blocks this thread until the agent in the other one has spoken that many frames. */
function blockUntilSpoken(spokenFrames: Int32Array, count: number): void {
  for (let spoken = 0; spoken < count; spoken = Atomics.load(spokenFrames, 0)) {
    // A blocked thread is not stopped by the test's own timeout.
    if (Atomics.wait(spokenFrames, 0, spoken, 15_000) === 'timed-out') throw new Error('the agent is silent');
  }
}

function blockMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a real media thread', () => {
  it('keeps sending while the main thread is blocked', async () => {
    const { client, conversation, peer, session, spokenFrames } = await setUp(60_000);
    conversation.answered();
    blockUntilSpoken(spokenFrames, 30);
    expect(peer.packets).toHaveLength(0);
    await peer.received(30);
    expect((await session.close())?.sentPackets).toBeGreaterThanOrEqual(30);
    expect(await conversation.finish()).toMatchObject({ summary: 'Done.' });
    client.close();
  });

  it('falls silent by itself when a blocked main thread renews nothing', async () => {
    const { client, conversation, peer, session, sessionEvents } = await setUp(2_000);
    conversation.answered();
    blockMs(2_500);
    await until(() => sessionEvents.length > 0);
    await peer.reported(1);
    const report = await session.close();
    expect(sessionEvents).toEqual([{ kind: 'expired' }]);
    expect(report?.sentPackets).toBeLessThanOrEqual(100);
    client.close();
  });

  it('that dies fails its calls and lets them end', async () => {
    const { conversation, events, isLost, session, worker } = await setUp(60_000);
    conversation.answered();
    const exited = once(worker, 'exit');
    await worker.terminate();
    await exited;
    await until(isLost);
    expect(events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
    expect(await conversation.finish()).toMatchObject({ transcript: null });
    expect(await session.close()).toBeNull();
  });
});
