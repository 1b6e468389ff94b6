import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CascadeStage } from '../../test/cascade-stage.ts';
import { TextRecording } from '../../test/text-recording.ts';
import type { LanguageModel } from '../cascade/llm/language-model.ts';
import { openLlmTextMind } from './llm-text-mind.ts';

const SCRIPT = {
  opening: { say: 'Good morning, this is the dental practice.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, say: 'One moment.', tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object' } };

let stage: CascadeStage;
const minds: TextRecording[] = [];
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT });
});
afterEach(async () => {
  for (const { mind } of minds.splice(0)) mind.close();
  await stage.close();
});

function open(model: LanguageModel = stage.model()): TextRecording {
  const opened = new TextRecording((listener) =>
    openLlmTextMind({ instructions: 'You call patients.', tools: [LOOKUP], model, clock: systemClock, listener }),
  );
  minds.push(opened);
  return opened;
}

test('speaks first when it is asked to, with the hint in its instructions', async () => {
  const conversation = open();
  conversation.mind.respond('Greet the callee.');
  expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
  expect(conversation.answers()).toEqual(['Good morning, this is the dental practice.']);
  expect(stage.requests[0]).toContain('Greet the callee.');
});

test('remembers what was said for it and what was written', async () => {
  const conversation = open();
  conversation.mind.said('Hello, Riverside Dental.');
  conversation.mind.hear('What?');
  await conversation.next('answer_over');
  expect(conversation.answers()).toEqual(['Could you say that again?']);
  expect(stage.requests[0]).toContain('Hello, Riverside Dental.');
});

test('calls a tool and answers its result once, and reports all that it was billed for', async () => {
  const conversation = open();
  conversation.mind.hear('On Tuesday?');
  const { id, name, argumentsText } = await conversation.next('tool_call');
  expect([name, argumentsText]).toEqual(['lookup', '{"day":"Tuesday"}']);
  for (const output of ['free: 9:00', 'again: 9:00']) conversation.mind.toolResult({ id, output, answer: true });
  await conversation.next('answer_over', 2);
  conversation.mind.hear('What?');
  await conversation.next('answer_over', 3);
  expect(conversation.answers()).toEqual(['One moment.', 'There is a slot at nine.', 'Could you say that again?']);
  expect(conversation.used()).toBe(stage.ledger.totals().reduce((sum, { quantity }) => sum + quantity, 0));
});

test('gives one answer to all texts that came during an answer', async () => {
  const conversation = open();
  for (const text of ['What?', 'And?', 'So?']) conversation.mind.hear(text);
  await conversation.next('answer_over', 2);
  expect(stage.requests).toHaveLength(2);
  expect(stage.requests[1]).toContain('So?');
});

test('a model that rejects the request fails the answer', async () => {
  const conversation = open(stage.model('gpt-simulated', 'sk-revoked'));
  conversation.mind.hear('What?');
  expect((await conversation.next('answer_failed')).failure).toMatchObject({ component: 'llm', kind: 'rejected' });
});
