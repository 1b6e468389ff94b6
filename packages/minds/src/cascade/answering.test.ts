import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { History } from '../history.ts';
import type { MindEvent } from '../mind.ts';
import { ToolCalls } from '../tool-calls.ts';
import { Answering } from './answering.ts';
import { conversationTurns, type ConversationTurn } from './llm/conversation.ts';
import type { LanguageModelEvent } from './llm/language-model.ts';

/** Answers whose model and voice are this test. */
function begin() {
  const history = new History();
  const toolCalls = new ToolCalls();
  const asked: (readonly ConversationTurn[])[] = [];
  let model: ((event: LanguageModelEvent) => void) | undefined;
  const emit = (event: MindEvent) => history.observe(event);
  const answering = new Answering({
    instructions: '',
    tools: [],
    models: [
      {
        answer({ conversation }, listener) {
          asked.push(conversationTurns(conversation));
          model = listener;
          return { cancel: () => undefined };
        },
      },
    ],
    clock: new ManualClock(),
    history,
    toolCalls,
    voice: { speak: () => undefined, finish: () => undefined, cancel: () => undefined },
    emit,
  });
  const spoken = (item: string, text: string) => {
    emit({ kind: 'words', item, text });
    answering.soundBegan(item);
    answering.soundOver(item);
  };
  const result = (id: string, output: string) => {
    if (!toolCalls.takes(id)) return;
    history.add({ kind: 'tool_result', id, output });
    if (toolCalls.finished(true)) answering.request({ kind: 'respond', hint: null, toTurn: false });
  };
  return { answering, asked, history, model: (event: LanguageModelEvent) => model?.(event), spoken, result };
}

test.each([
  ['after', false],
  ['before', true],
])('words that are said while a tool runs stand before its result, which came %s them', (_when, isFast) => {
  const { answering, asked, history, model, spoken, result } = begin();
  history.add({ kind: 'callee', text: 'On Tuesday?' });
  answering.request({ kind: 'respond', hint: null, toTurn: false });
  model({ kind: 'tool_call', id: 'c1', name: 'slots', argumentsText: '{}' });
  answering.request({ kind: 'say', text: 'One moment.' });
  if (isFast) result('c1', '9:00');
  model({ kind: 'over', outcome: 'completed' });
  spoken('item_2', 'One moment.');
  if (!isFast) result('c1', '9:00');
  expect(asked.at(-1)).toEqual([
    { role: 'callee', text: 'On Tuesday?' },
    {
      role: 'agent',
      text: 'One moment.',
      toolCalls: [{ kind: 'tool_call', id: 'c1', name: 'slots', argumentsText: '{}', output: '9:00' }],
    },
  ]);
  model({ kind: 'text', text: 'At nine.' });
  model({ kind: 'over', outcome: 'completed' });
  spoken('item_3', 'At nine.');
  expect(conversationTurns(history.items()).at(-1)).toEqual({ role: 'agent', text: 'At nine.', toolCalls: [] });
});
