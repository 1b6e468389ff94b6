import type {
  ConversationEvent,
  ConversationResult,
  DialRequest,
  Leg,
  LegEnd,
  LegEvent,
  VoiceAgentFactory,
} from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createConversations, createMediaClock } from '@outdial/telephony';
import { dialRequest, MemoryRecordings, settings, toneSpeech } from '@outdial/telephony/testing';
import { ManualClock } from '@outdial/testkit/async';
import type { NumberTable } from '../src/personas/test-numbers.ts';
import { createSimulatedCarrier, type Dialled } from '../src/carrier/simulated-carrier.ts';

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

/** A whole call through carrier and conversation; advances the clock until the call has ended. */
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
    if (event.kind === 'on_hold') conversation.setOnHold(event.isOnHold);
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
