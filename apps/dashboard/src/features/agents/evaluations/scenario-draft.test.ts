import { scenarioSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { draftOf, emptyDraft, scenarioOf } from './scenario-draft.ts';

test('a scenario that is not changed stays as it is, with what the form has no field for', () => {
  const saved = scenarioSchema.parse({
    name: 'In a hurry',
    persona: { kind: 'scripted', lines: ['Yes?', 'No.'], rules: [{ when: 'sorry', say: 'Fine.' }] },
    variables: { name: 'Zoë' },
    criteria: [{ criteria: 'It is\npolite.', scale: '1-10', passes_from: 8 }, { criteria: 'It is short.' }],
    tool_results: { free_slots: '[]' },
    max_turns: 4,
  });
  expect(scenarioSchema.parse(scenarioOf(draftOf(saved, 'a'), ['name']))).toEqual(saved);
});

test('another kind of persona replaces the saved one, and lines are trimmed', () => {
  const saved = scenarioSchema.parse({ name: 'A', persona: { kind: 'model', prompt: 'You agree.' } });
  const changed = { ...draftOf(saved, 'a'), kind: 'scripted', lines: ' Yes. \n\nBye.' } as const;
  expect(scenarioOf(changed, []).persona).toEqual({ kind: 'scripted', lines: ['Yes.', 'Bye.'] });
});

test('a scenario without criteria leaves them to the agent, and an empty result to the service', () => {
  const draft = { ...emptyDraft('a', 'New'), prompt: 'You agree.', toolResults: { free_slots: '' } };
  expect(scenarioOf(draft, ['name'])).toEqual({
    name: 'New',
    persona: { kind: 'model', prompt: 'You agree.' },
    variables: { name: '' },
    tool_results: {},
    max_turns: 10,
  });
});
