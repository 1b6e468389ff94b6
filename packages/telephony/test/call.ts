import { randomUUID } from 'node:crypto';
import type {
  ConversationEvent,
  ConversationResult,
  DialRequest,
  Leg,
  LegEnd,
  LegEvent,
  VoiceAgentFactory,
} from '@outdial/calls';
import { accountIdSchema, agentSettingsSchema, callIdSchema, e164Schema, type CallId } from '@outdial/contracts';
import { createConversations } from '../src/media/conversations.ts';
import { createMediaClock } from '../src/media/media-clock.ts';
import type { NumberTable } from '../src/personas/test-numbers.ts';
import { createSimulatedCarrier, type Dialled } from '../src/simulated/simulated-carrier.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryRecordings } from './memory-recordings.ts';
import { toneSpeech } from './sounds.ts';

export const settings = agentSettingsSchema.parse({ name: 'Reminder', first_message: 'Hello.' });

export function dialRequest(number: string, changes: Partial<DialRequest> = {}): DialRequest {
  return {
    callId: callIdSchema.parse(randomUUID()),
    accountId: accountIdSchema.parse(randomUUID()),
    callerNumber: e164Schema.parse('+12025550199'),
    calleeNumber: e164Schema.parse(number),
    ringTimeoutMs: 30_000,
    maxDurationMs: 1_800_000,
    mayDial: () => true,
    awaitDialPermit: async () => false,
    admittedTrunk: null,
    beginAttempt: async () => 'begun',
    recorded: async () => undefined,
    rightEndsAtMs: () => Infinity,
    ...changes,
  };
}

export function recordEvents(leg: Leg): LegEvent[] {
  const events: LegEvent[] = [];
  leg.listen((event) => events.push(event));
  return events;
}

export const endOf = (events: readonly LegEvent[]): LegEnd | undefined =>
  events.flatMap((event) => (event.kind === 'ended' ? [event.end] : []))[0];

export interface CallRecord {
  readonly callId: CallId;
  readonly legEvents: LegEvent[];
  readonly conversationEvents: ConversationEvent[];
  readonly end: LegEnd;
  readonly result: ConversationResult;
  readonly errors: unknown[];
  readonly dialled: Dialled[];
  readonly callee: Int16Array;
  readonly agent: Int16Array;
}

export interface CallPlan {
  readonly agents: VoiceAgentFactory;
  readonly speed?: number;
  readonly table?: NumberTable;
  readonly request?: Partial<DialRequest>;
}

/** A whole call through carrier and conversation, with the clock turned until it is over. */
export async function placeCall(number: string, plan: CallPlan): Promise<CallRecord> {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const dialled: Dialled[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const media = createMediaClock({ clock, speed: plan.speed ?? 1, onError });
  const carrier = createSimulatedCarrier({
    clock,
    media: { kind: 'frames', clock: media, speech: toneSpeech },
    onDialled: (reached) => dialled.push(reached),
    onError,
    ...(plan.table ? { table: plan.table } : {}),
  });
  const recordings = new MemoryRecordings();
  const conversations = createConversations({ clock: media, agents: plan.agents, recordings, onError });
  const request = dialRequest(number, plan.request);
  const leg = carrier.dial(request);
  const conversation = conversations.open({ callId: request.callId, leg, settings, variables: {} });

  const legEvents: LegEvent[] = [];
  const conversationEvents: ConversationEvent[] = [];
  conversation.listen((event) => {
    conversationEvents.push(event);
    if (event.kind === 'hang_up') leg.hangUp();
  });
  leg.listen((event) => {
    legEvents.push(event);
    if (event.kind === 'answered') conversation.answered();
    if (event.kind === 'held') conversation.held(event.held);
  });
  await clock.turnUntil(() => endOf(legEvents) !== undefined, 200_000);
  const result = await conversation.finish();
  const end = endOf(legEvents);
  if (!end) throw new Error('the call did not end');
  return {
    callId: request.callId,
    legEvents,
    conversationEvents,
    end,
    result,
    errors,
    dialled,
    ...recordings.channelsOf(request.callId),
  };
}
