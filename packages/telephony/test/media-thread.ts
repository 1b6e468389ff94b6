import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { Conversation, ConversationEvent, VoiceAgentFactory } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { ManualClock } from '@outdial/testkit/async';
import { createMediaClient, type MediaClient } from '../src/media-thread/media-client.ts';
import { createMediaHost, type MediaHostOptions } from '../src/media-thread/media-host.ts';
import type { MediaMetrics, MediaSessionEvent } from '../src/media-thread/protocol.ts';
import { settings } from '../src/testing/dial-request.ts';
import { MemoryRecordings } from '../src/testing/memory-recordings.ts';
import { RtpPeer } from './rtp-peer.ts';

/** Resolves once `happened` is true; checked in each turn of the event loop. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await setImmediate();
}

/** A host and a client in one thread, on one manual clock. */
export function openMediaThread(agents: VoiceAgentFactory, changes: Partial<MediaHostOptions> = {}) {
  const { port1, port2 } = new MessageChannel();
  const clock = new ManualClock();
  const recordings = new MemoryRecordings();
  const metrics: MediaMetrics[] = [];
  const errors: unknown[] = [];
  let lost = 0;
  const host = createMediaHost({
    port: port2,
    clock,
    agents,
    recordings,
    rtpPorts: { address: '127.0.0.1', firstPort: 31_600, lastPort: 31_699 },
    learning: 'same_host',
    noAudioAfterMs: 2_000,
    metricsEveryMs: 10_000,
    ...changes,
  });
  const client = createMediaClient({
    port: port1,
    clock,
    onMetrics: (reported) => metrics.push(reported),
    onError: (error) => errors.push(error),
    onLost: () => (lost += 1),
  });
  return { clock, recordings, metrics, errors, host, client, timesLost: () => lost };
}

export type MediaThread = ReturnType<typeof openMediaThread>;

/** A call as a leg and a driver open it: a session, then the conversation over it. */
export function openCall(
  { client, clock }: { readonly client: MediaClient; readonly clock: Clock },
  mayTalkMs = 60_000,
) {
  const callId = callIdSchema.parse(randomUUID());
  let rightEndsAtMs = clock.monotonicMs() + mayTalkMs;
  const session = client.openSession({ callId, rightEndsAtMs: () => rightEndsAtMs });
  const renew = (ms: number): void => {
    rightEndsAtMs = clock.monotonicMs() + ms;
  };
  const sessionEvents: MediaSessionEvent[] = [];
  session.listen((event) => sessionEvents.push(event));
  const conversation = converse(client, callId);
  const events: ConversationEvent[] = [];
  conversation.listen((event) => events.push(event));
  return { callId, session, conversation, sessionEvents, events, renew };
}

export function converse(client: MediaClient, callId: CallId): Conversation {
  const leg = { media: null, listen: () => undefined, hangUp: () => undefined, transfer: () => undefined };
  return client.conversations.open({ callId, leg, settings, variables: {} });
}

/** The same, answered by a peer on loopback. */
export async function openAnsweredCall(thread: MediaThread, mayTalkMs?: number) {
  const call = openCall(thread, mayTalkMs);
  const outcome = await call.session.opened;
  if (outcome.kind !== 'opened') throw new Error(`the session was not opened: ${outcome.kind}`);
  const peer = await RtpPeer.open();
  call.session.setRemote(peer.media());
  call.conversation.answered();
  // One timer for the metrics, one for the rights; the third is that of the first tick.
  await until(() => thread.clock.pendingTimers >= 3);
  return { ...call, peer, rtpPort: outcome.rtpPort };
}

export async function closeMediaThread({ client, host }: MediaThread): Promise<void> {
  client.close();
  await host.close();
}
