import { setImmediate } from 'node:timers/promises';
import type { VoiceAgent } from '@outdial/calls';
import type { Turn } from '@outdial/contracts';
import { deferred } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { CountingAgent, openConversation, openConversationWith } from '../../test/counting-conversation.ts';
import { MemoryRecordings } from '../testing/memory-recordings.ts';

const turn: Turn = { role: 'agent', text: 'Hi', start_ms: 0, end_ms: 100, source: 'script', interrupted: false };

describe('an agent that is late', () => {
  it('hears what it missed, so that its time matches the call’s', async () => {
    const agent = new CountingAgent();
    const prepared = deferred<VoiceAgent>();
    const { clock, conversation, leg, channels } = openConversation(() => prepared.promise);
    conversation.answered();
    clock.turn(200);
    expect(leg.sent).toEqual([]);
    prepared.resolve(agent);
    await setImmediate();
    clock.turn(40);
    expect(agent.heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(leg.sent).toHaveLength(2);
    expect(channels().callee).toHaveLength(12 * 160);
  });

  it('for more than 5 s after the answer ends the call with agent_error', async () => {
    const { clock, conversation, events } = openConversation(() => new Promise(() => undefined));
    conversation.answered();
    for (let turned = 0; turned < 5_000; turned += 20) clock.turn(20);
    expect(events).toEqual([]);
    clock.turn(20);
    expect(events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
  });

  it('and is ready after the end is freed', async () => {
    const agent = new CountingAgent();
    const prepared = deferred<VoiceAgent>();
    const { conversation } = openConversation(() => prepared.promise);
    await conversation.finish();
    prepared.resolve(agent);
    await setImmediate();
    expect(agent.finishes).toBe(1);
  });
});

describe('an agent that fails', () => {
  it.each([
    ['rejecting', () => Promise.reject(new Error('broken'))],
    [
      'throwing',
      () => {
        throw new Error('broken');
      },
    ],
  ])('to be prepared, by %s, ends the call with agent_error', async (_, prepare) => {
    const { events, errors, conversation } = openConversation(prepare);
    await setImmediate();
    expect(events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
    expect(errors).toHaveLength(1);
    expect((await conversation.finish()).transcript).toBeNull();
  });

  it.each(['hear', 'speak', 'hearDigits'] as const)(
    'in %s ends the call and keeps recording the callee',
    async (method) => {
      const agent = new CountingAgent();
      const { clock, conversation, events, errors, leg, channels } = await openConversationWith(agent);
      conversation.answered();
      agent.emit({ kind: 'turn', turn });
      clock.turn(100);
      agent[method] = () => {
        throw new Error('broken');
      };
      leg.digits = '1';
      clock.turn(100);
      expect(events).toEqual([
        { kind: 'turn', turn },
        { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
      ]);
      expect(errors).toHaveLength(1);
      expect(channels().callee).toHaveLength(10 * 160);
      expect(
        channels()
          .agent.subarray(5 * 160)
          .every((sample) => sample === 0),
      ).toBe(true);
    },
  );

  it('by returning frames of another length ends the call: the two sides would lose step', async () => {
    const agent = new CountingAgent();
    agent.speak = () => new Int16Array(80);
    const { clock, conversation, events, channels } = await openConversationWith(agent);
    conversation.answered();
    clock.turn(40);
    expect(events).toEqual([
      { kind: 'hang_up', reason: 'agent_error', failure: { code: 'agent_failed', field: null } },
    ]);
    expect(channels().agent).toHaveLength(2 * 160);
  });

  it('to finish leaves the turns that it had reported', async () => {
    const agent = new CountingAgent();
    const { clock, conversation, callId } = await openConversationWith(agent);
    conversation.answered();
    clock.turn(100);
    agent.emit({ kind: 'turn', turn });
    agent.emit({ kind: 'answered_by', answeredBy: 'human' });
    agent.finish = () => {
      throw new Error('broken');
    };
    expect(await conversation.finish()).toEqual({
      transcript: [turn],
      summary: null,
      answeredBy: 'human',
      recordingKey: callId,
    });
  });
});

function failDisk(): never {
  throw new Error('no disk');
}

describe('a recording that fails', () => {
  it.each(['create', 'close'] as const)('in %s leaves the conversation intact', async (method) => {
    const recordings = new MemoryRecordings();
    if (method === 'create') recordings.create = failDisk;
    else recordings.create = () => ({ key: 'lost', write: () => undefined, close: failDisk });
    const agent = new CountingAgent();
    const { clock, conversation, errors } = await openConversationWith(agent, recordings);
    conversation.answered();
    clock.turn(100);
    expect(agent.heard).toHaveLength(5);
    expect(await conversation.finish()).toMatchObject({ summary: 'Done.', recordingKey: null });
    expect(errors).toHaveLength(1);
  });
});
