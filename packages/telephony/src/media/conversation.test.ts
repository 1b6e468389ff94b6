import { setImmediate } from 'node:timers/promises';
import type { VoiceAgent } from '@outdial/calls';
import { deferred } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { CountingAgent, openConversation, openConversationWith } from '../../test/counting-conversation.ts';

describe('a conversation', () => {
  it('starts with the answer: early media is neither heard nor recorded', async () => {
    const agent = new CountingAgent();
    const { clock, conversation, leg, channels } = await openConversationWith(agent);
    leg.digits = '9';
    clock.turn(1_000);
    expect(agent.heard).toEqual([]);
    expect(leg.sent).toEqual([]);
    conversation.answered();
    clock.turn(60);
    expect(agent.heard).toEqual([1, 2, 3]);
    expect(agent.heardDigits).toEqual([]);
    expect(channels().callee.length).toBe(3 * 160);
  });

  it('records both sides in step, sample for sample from the answer: callee left, agent right', async () => {
    const agent = new CountingAgent();
    const { clock, conversation, channels, callId } = await openConversationWith(agent);
    conversation.answered();
    conversation.answered();
    clock.turn(2_000);
    const result = await conversation.finish();
    clock.turn(2_000);
    const { callee, agent: spoken } = channels();
    expect(callee).toHaveLength(100 * 160);
    expect([...callee]).toEqual(Array.from({ length: 16_000 }, (_, at) => Math.floor(at / 160) + 1));
    expect([...spoken]).toEqual(Array.from({ length: 16_000 }, (_, at) => -Math.floor(at / 160) - 1));
    expect(result).toEqual({ transcript: [], answeredBy: 'human', summary: 'Done.', recordingKey: callId });
  });

  it('carries digits both ways', async () => {
    const agent = new CountingAgent();
    const { clock, conversation, leg } = await openConversationWith(agent);
    conversation.answered();
    clock.turn(20);
    leg.digits = '12#';
    clock.turn(60);
    agent.emit({ kind: 'send_digits', digits: '5' });
    expect(agent.heardDigits).toEqual(['12#']);
    expect(leg.sentDigits).toEqual(['5']);
  });

  it('notifies the agent that the call is on hold, and still records its audio', async () => {
    const agent = new CountingAgent();
    const { clock, conversation, channels } = await openConversationWith(agent);
    conversation.answered();
    conversation.setOnHold(true);
    clock.turn(60);
    conversation.setOnHold(false);
    expect(agent.holds).toEqual([true, false]);
    expect(agent.heard).toEqual([1, 2, 3]);
    expect(channels().callee).toHaveLength(3 * 160);
  });

  it('notifies an agent that was not ready when the call was put on hold', async () => {
    const agent = new CountingAgent();
    const prepared = deferred<VoiceAgent>();
    const { conversation } = openConversation(() => prepared.promise);
    conversation.setOnHold(true);
    prepared.resolve(agent);
    await setImmediate();
    expect(agent.holds).toEqual([true]);
  });

  it('drops what the leg has queued when the callee interrupts', async () => {
    const agent = new CountingAgent();
    const { conversation, leg } = await openConversationWith(agent);
    conversation.answered();
    agent.emit({ kind: 'interrupted', atMs: 0 });
    expect(leg.clears).toBe(1);
  });

  it('reports who answered, and once that the agent wants to hang up', async () => {
    const agent = new CountingAgent();
    const { conversation, events } = await openConversationWith(agent);
    conversation.answered();
    agent.emit({ kind: 'answered_by', answeredBy: 'voicemail' });
    agent.emit({ kind: 'hang_up', reason: 'voicemail_reached' });
    agent.emit({ kind: 'hang_up', reason: 'agent_hangup' });
    expect(events).toEqual([
      { kind: 'answered_by', answeredBy: 'voicemail' },
      { kind: 'hang_up', reason: 'voicemail_reached' },
    ]);
  });

  it('that was never answered has no transcript and no recording, and frees its agent', async () => {
    const agent = new CountingAgent();
    const { conversation } = await openConversationWith(agent);
    expect(await conversation.finish()).toEqual({
      transcript: null,
      summary: null,
      answeredBy: null,
      recordingKey: null,
    });
    expect(agent.finishes).toBe(1);
  });

  it('finishes once, even if called again', async () => {
    const agent = new CountingAgent();
    const { conversation, clock } = await openConversationWith(agent);
    conversation.answered();
    clock.turn(100);
    const [first, second] = await Promise.all([conversation.finish(), conversation.finish()]);
    expect(second).toBe(first);
    conversation.answered();
    clock.turn(100);
    expect(agent.finishes).toBe(1);
    expect(agent.heard).toHaveLength(5);
  });
});
