import { MessageChannel } from 'node:worker_threads';
import { ManualClock } from '@outdial/testkit/async';
import { afterEach, describe, expect, it } from 'vitest';
import { openCall, until } from '../../test/media-thread.ts';
import { createMediaClient } from './media-client.ts';
import type { ToHost } from './protocol.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A client whose thread exists and does nothing. */
function setUp() {
  const { port1, port2 } = new MessageChannel();
  const clock = new ManualClock();
  const client = createMediaClient({
    port: port1,
    clock,
    onMetrics: () => undefined,
    onError: () => undefined,
    onLost: () => undefined,
  });
  closers.push(() => client.close());
  return { clock, client, port2 };
}

describe('a client of a stuck media thread', () => {
  it('waits at most 5 s for ports', async () => {
    const { clock, client } = setUp();
    const { session } = openCall({ clock, client });
    clock.turn(5_000);
    expect(await session.opened).toMatchObject({ kind: 'failed' });
  });

  it('lets a call end within 15 s, without a transcript', async () => {
    const { clock, client } = setUp();
    const { conversation, session } = openCall({ clock, client });
    const ended = Promise.all([conversation.finish(), session.close()]);
    clock.turn(15_000);
    const nothing = { transcript: null, summary: null, answeredBy: null, recordingKey: null };
    expect(await ended).toEqual([nothing, null]);
    clock.turn(1_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it('reports a call’s right to talk only when it changes', async () => {
    const { clock, client, port2 } = setUp();
    const messages: unknown[] = [];
    port2.on('message', ({ kind, stopTime }: ToHost & { stopTime?: unknown }) => messages.push([kind, stopTime]));
    const { conversation, renew, session } = openCall({ clock, client }, 5_000);
    clock.turn(2_000);
    renew(6_000);
    clock.turn(2_000);
    const ended = Promise.all([conversation.finish(), session.close()]);
    clock.turn(15_000);
    await ended;
    clock.turn(60_000);
    await until(() => messages.length >= 5);
    const wallMs = clock.nowMs() - 79_000;
    expect(messages).toEqual([
      ['open', { remainingMs: 5_000, wallMs: wallMs + 5_000 }],
      ['prepare', undefined],
      ['may_talk_until', { remainingMs: 5_000, wallMs: wallMs + 8_000 }],
      ['finish', undefined],
      ['close', undefined],
    ]);
  });
});
