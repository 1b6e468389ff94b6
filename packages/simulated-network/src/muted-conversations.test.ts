import { randomUUID } from 'node:crypto';
import type { ConversationEvent, Leg } from '@outdial/calls';
import { callIdSchema } from '@outdial/contracts';
import { dialRequest, settings } from '@outdial/telephony/testing';
import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { createSimulatedCarrier } from './carrier/simulated-carrier.ts';
import { createMutedConversations } from './muted-conversations.ts';

function open(hangUpAfterMs: number | null) {
  const clock = new ManualClock();
  const carrier = createSimulatedCarrier({
    clock,
    media: { kind: 'off', speed: 1 },
    onError: () => expect.unreachable(),
  });
  const leg: Leg = carrier.dial(dialRequest('+12025550100', { mayDial: () => false }));
  const conversations = createMutedConversations({ clock, hangUpAfterMs });
  const callId = callIdSchema.parse(randomUUID());
  const conversation = conversations.open({ callId, leg, settings, variables: {} });
  const events: ConversationEvent[] = [];
  conversation.listen((event) => events.push(event));
  return { clock, conversation, events };
}

describe('a muted conversation', () => {
  it('hangs up at the given time after the answer', () => {
    const { clock, conversation, events } = open(5_000);
    clock.turn(10_000);
    conversation.answered();
    clock.turn(4_999);
    expect(events).toEqual([]);
    clock.turn(1);
    expect(events).toEqual([{ kind: 'hang_up', reason: 'agent_hangup' }]);
  });

  it('leaves the end to the callee without a time', () => {
    const { clock, conversation, events } = open(null);
    conversation.answered();
    expect(clock.pendingTimers).toBe(0);
    expect(events).toEqual([]);
  });

  it('has no transcript, and leaves no timer behind', async () => {
    const { clock, conversation, events } = open(5_000);
    conversation.answered();
    const nothing = { transcript: null, summary: null, answeredBy: null, recordingKey: null };
    expect(await conversation.finish()).toEqual(nothing);
    conversation.answered();
    clock.turn(10_000);
    expect(events).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
