import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { accountIdSchema, callIdSchema, realtimeSettingsSchema, type TryEvent } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import type { TextMindEvent } from '@outdial/minds';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { TextConversation } from './text-conversation.ts';

const settings = realtimeSettingsSchema.parse({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You call patients of a dental practice.',
  model: { provider: 'openai', model: 'gpt-realtime' },
  tools: [{ type: 'http', name: 'free_slots', description: 'Finds free slots.', url: 'https://example.com/' }],
});

/** More than any bound, so that a conversation without one ends too. */
const MOST = 3_000;

/** A model that answers each result, and what it hears, with `next`. */
async function converse(next: (emit: (event: TextMindEvent) => void, nth: number) => 'goes on' | 'gives up') {
  const reported: TryEvent[] = [];
  let asked = 0;
  let isOpen = true;
  const events = new EventEmitter();
  const ended = once(events, 'end');
  const end = (reason: string) => events.emit('end', reason);
  const conversation = new TextConversation({
    call: {
      callId: callIdSchema.parse(randomUUID()),
      accountId: accountIdSchema.parse(randomUUID()),
      settings,
      variables: {},
      models: [],
      secrets: new Map(),
    },
    openMind(_call, listener) {
      const answer = () => {
        asked += 1;
        if (isOpen && (asked > MOST || next(listener, asked) === 'gives up')) end('never');
      };
      return {
        hear: answer,
        said: () => undefined,
        respond: answer,
        toolResult: answer,
        close: () => (isOpen = false),
      };
    },
    tools: { run: async () => ({ kind: 'ok', output: 'none' }) },
    meter: { add: () => undefined },
    clock: fakeClock(),
    logger: createLogger({ name: 'test', level: 'silent' }),
    report: (event) => void reported.push(event),
    onUsage: () => undefined,
    onOver: (reason) => {
      end(reason);
      conversation.close();
    },
  });
  conversation.hear('Hello.');
  const [reason]: unknown[] = await ended;
  return { reason, reported };
}

const call = (nth: number): TextMindEvent => ({
  kind: 'tool_call',
  id: `call_${nth}`,
  name: 'free_slots',
  argumentsText: '{}',
});

test('a model that calls tools without end fails the conversation, and what is kept of it is bounded', async () => {
  const { reason, reported } = await converse((emit, nth) => {
    emit(call(nth));
    emit({ kind: 'answer_over', outcome: 'completed', empty: false });
    return 'goes on';
  });
  expect(reason).toBe('provider_unavailable');
  expect(reported.filter(({ type }) => type === 'tool_called')).toHaveLength(500);
});

test('a model that writes without end fails the conversation, and what is kept of it is bounded', async () => {
  const { reason, reported } = await converse((emit) => {
    for (let nth = 0; nth < MOST; nth += 1) emit({ kind: 'words', item: 'item', text: 'x'.repeat(1_000) });
    return 'gives up';
  });
  expect(reason).toBe('provider_unavailable');
  const characters = reported.reduce((sum, event) => sum + (event.type === 'agent_text' ? event.text.length : 0), 0);
  expect(characters).toBe(500_000);
});
