import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  FRAME_MS,
  type RecordingStore,
  type SpeechSynthesizer,
  type VoiceAgent,
  type VoiceAgentFactory,
} from '@outdial/calls';
import { agentSettingsSchema, callIdSchema } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createConversations } from '../../media/conversations.ts';
import { createMediaClock } from '../../media/media-clock.ts';
import { randomCanonicalName, randomIdentity } from '../../rtp/random-identity.ts';
import { OFFERED_EVENT_PAYLOAD_TYPE, PAYLOAD_TYPES } from '../../rtp/remote-media.ts';
import { RtpSession } from '../../rtp/rtp-session.ts';
import { HostedCall } from '../hosted-call.ts';
import { LatenessCounter } from '../lateness.ts';
import { babble } from './babble.ts';
import { MIRROR, mirrorSockets } from './mirror.ts';
import { SteppedClock } from './stepped-clock.ts';

/** Enough to compile all code that a call runs, if time allows. */
const CALLS = 20;
const FRAMES = 500;
const MAX_MS = 500;
const LINE_MS = 1_000;
/** The compiler works in other threads and needs pauses to install its results. */
const FRAMES_PER_TURN = 10;

const SETTINGS = agentSettingsSchema.parse({
  name: 'Rehearsal',
  first_message: 'One.',
  lines: Array.from({ length: 20 }, (_, nth) => `Line ${nth}.`),
});

/** An error here occurs in real calls too, where it is reported. */
const ignore = (): void => undefined;

export interface RehearsalOptions {
  /** The real clock, which limits the rehearsal. */
  readonly clock: Clock;
  /** Agents like those of real calls, with this speech. */
  readonly agentsWith: (speech: SpeechSynthesizer) => VoiceAgentFactory;
  /** Recordings like those of real calls, which store nothing. */
  readonly recordings: RecordingStore;
}

/**
 * Runs calls of a few seconds in memory, faster than real time, before the first real one. Code that runs for the first
 * time costs several times as much, and the first callers of a busy worker would hear it. Nothing is sent or kept.
 */
export async function rehearse({ clock, agentsWith, recordings }: RehearsalOptions): Promise<void> {
  const turned = new SteppedClock();
  const sound = babble(LINE_MS);
  const agents = watched(agentsWith({ synthesize: async () => sound }));
  const calls = openCalls(turned, agents, recordings);
  for (const call of calls) call.prepare(SETTINGS, {});
  await agents.prepared();
  for (const call of calls) call.answered();
  const untilMs = clock.monotonicMs() + MAX_MS;
  for (let frame = 1; frame <= FRAMES && clock.monotonicMs() < untilMs; frame += 1) {
    turned.turn(FRAME_MS);
    if (frame % FRAMES_PER_TURN === 0) await setImmediate();
  }
  await Promise.all(calls.flatMap((call) => [call.finish(), call.close()]));
}

/**
 * The first agent of a thread loads the models that all agents hear with: without it, the rehearsal would cover only
 * silence.
 */
function watched(agents: VoiceAgentFactory): VoiceAgentFactory & { readonly prepared: () => Promise<void> } {
  const preparing: Promise<VoiceAgent>[] = [];
  return {
    prepare(input) {
      const agent = agents.prepare(input);
      preparing.push(agent);
      return agent;
    },
    async prepared() {
      await Promise.allSettled(preparing);
      await setImmediate();
    },
  };
}

function openCalls(clock: Clock, agents: VoiceAgentFactory, recordings: RecordingStore): readonly HostedCall[] {
  const mediaClock = createMediaClock({ clock, onError: ignore });
  const conversations = createConversations({ clock: mediaClock, agents, recordings, onError: ignore });
  const lateness = new LatenessCounter();
  return Array.from({ length: CALLS }, () => {
    const session = new RtpSession({
      sockets: mirrorSockets(),
      clock,
      mediaClock,
      identity: randomIdentity(),
      canonicalName: randomCanonicalName(),
      random: Math.random,
      learning: 'same_host',
      noAudioAfterMs: Number.POSITIVE_INFINITY,
      onEvent: ignore,
      onSent: (latenessMs) => lateness.add(latenessMs),
    });
    session.setRemote({
      rtp: MIRROR,
      rtcp: null,
      law: 'PCMU',
      payloadType: PAYLOAD_TYPES.PCMU,
      eventPayloadType: OFFERED_EVENT_PAYLOAD_TYPE,
      direction: 'sendrecv',
    });
    return new HostedCall({
      callId: callIdSchema.parse(randomUUID()),
      session,
      conversations,
      mediaClock,
      clock,
      stopTime: { remainingMs: Number.POSITIVE_INFINITY, wallMs: Number.POSITIVE_INFINITY },
      onSessionEvent: ignore,
      onConversationEvent: ignore,
      onClosed: ignore,
    });
  });
}
