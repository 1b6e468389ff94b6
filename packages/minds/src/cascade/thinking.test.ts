import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import type { LanguageModelEvent } from './llm/language-model.ts';
import { Thinking, type ThinkingEvent } from './thinking.ts';

test.each<[string, LanguageModelEvent, number]>([
  ['text', { kind: 'text', text: 'x'.repeat(1_000) }, 24],
  ['tool calls', { kind: 'tool_call', id: 'id', name: 'free_slots', argumentsText: '{}' }, 64],
])('a model that answers with %s without end is given up', (_what, event, most) => {
  const events: ThinkingEvent[] = [];
  let [emit, cancelled]: [(event: LanguageModelEvent) => void, boolean] = [() => undefined, false];
  const thinking = new Thinking({
    models: [
      {
        answer(_request, listener) {
          emit = listener;
          return { cancel: () => void (cancelled = true) };
        },
      },
    ],
    request: { instructions: '', conversation: [], tools: [] },
    clock: fakeClock(),
    listener: (one) => void events.push(one),
  });
  for (let sent = 0; sent < 1_000; sent += 1) emit(event);
  expect(events).toHaveLength(most + 1);
  expect(events.at(-1)).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_response' } });
  expect(cancelled).toBe(true);
  thinking.cancel();
  expect(events).toHaveLength(most + 1);
});
