import { afterEach, expect, test } from 'vitest';
import { startProvider, type Provider } from '../test/provider.ts';
import { RecordedMind, SETTINGS } from '../test/recorded-mind.ts';

const YES = 'Yes, Tuesday is fine.';
const SCRIPT = {
  opening: { say: 'Good morning.' },
  rules: [
    { when: /Tuesday/, say: 'Thank you.' },
    { when: /pressed 1/, tool: { name: 'lookup', arguments: {} } },
    { when: /nine/, say: 'There is a slot at nine.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object' } };

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function converse(timings: { readonly soundSpeed?: number } = {}): Promise<[Provider, RecordedMind]> {
  const provider = await startProvider({ script: SCRIPT, sentences: [YES], timings });
  cleanups.push(() => provider.close());
  const conversation = new RecordedMind(provider, { settings: { ...SETTINGS, tools: [LOOKUP] } }, { reconnects: true });
  cleanups.push(() => conversation.mind.close());
  await conversation.next('ready');
  conversation.mind.openGate();
  return [provider, conversation];
}

test('a lost connection is replaced, and what was said is remembered', async () => {
  const [provider, conversation] = await converse();
  conversation.hear(YES);
  await conversation.next('answer_over');
  provider.disconnect();
  expect((await conversation.next('recovered')).failure.kind).toBe('dropped');
  // Without the history the model would speak first: "Good morning."
  conversation.mind.respond();
  await conversation.next('answer_over', 2);
  expect(conversation.words(conversation.of('item_over')[1]?.item ?? '')).toBe('Thank you.');
  expect(conversation.of('ready')).toHaveLength(1);
});

test('an answer that was under way is given again, and sound of the gap is heard', async () => {
  const [provider, conversation] = await converse({ soundSpeed: 1 });
  conversation.hear(YES);
  await conversation.next('callee_said');
  const { item: lost } = await conversation.next('sound');
  provider.disconnect();
  conversation.hear(YES);
  await conversation.next('recovered');
  // Or it would be waited for, and what follows would never be played.
  expect(conversation.of('item_over')).toEqual([{ kind: 'item_over', item: lost, isLost: true }]);
  expect(await conversation.next('callee_said', 2)).toMatchObject({ text: YES });
  await conversation.next('answer_over');
  const last = conversation.of('item_over').at(-1)?.item ?? '';
  expect(last).not.toBe(lost);
  expect(conversation.words(last)).toBe('Thank you.');
});

test('a tool that was called on the lost connection is answered on the new one', async () => {
  const [provider, conversation] = await converse();
  conversation.mind.pressed('1');
  const { id } = await conversation.next('tool_call');
  await conversation.next('answer_over');
  provider.disconnect();
  await conversation.next('recovered');
  conversation.mind.toolResult({ id, output: 'free at nine', answer: true });
  await conversation.next('answer_over', 2);
  expect(conversation.words(conversation.of('item_over')[0]?.item ?? '')).toBe('There is a slot at nine.');
  expect(conversation.of('ignored')).toEqual([]);
});

test('a third loss ends the mind', async () => {
  const [provider, conversation] = await converse();
  for (let losses = 1; losses <= 2; losses += 1) {
    provider.disconnect();
    await conversation.next('recovered', losses);
  }
  provider.disconnect();
  expect((await conversation.next('failed')).failure.kind).toBe('dropped');
});

test('a fallback that follows a failure before the first words is asked for the same', async () => {
  const provider = await startProvider({ script: SCRIPT, sentences: [YES] });
  cleanups.push(() => provider.close());
  const settings = { ...SETTINGS, model: '401' };
  const conversation = new RecordedMind(provider, { settings }, { reconnects: true, fallbacks: [SETTINGS] });
  cleanups.push(() => conversation.mind.close());
  conversation.mind.say('Good afternoon.');
  await conversation.next('ready');
  await conversation.next('answer_over');
  expect(conversation.words(conversation.of('item_over')[0]?.item ?? '')).toBe('Good afternoon.');
  expect(conversation.of('ready')).toHaveLength(1);
  expect(conversation.of('recovered')).toMatchObject([{ failure: { kind: 'rejected' } }]);
});

test('a fallback follows a third loss in the middle of a call, and knows what was said', async () => {
  const provider = await startProvider({ script: SCRIPT, sentences: [YES] });
  cleanups.push(() => provider.close());
  const conversation = new RecordedMind(provider, {}, { reconnects: true, fallbacks: [SETTINGS] });
  cleanups.push(() => conversation.mind.close());
  await conversation.next('ready');
  conversation.mind.openGate();
  conversation.hear(YES);
  await conversation.next('answer_over');
  for (let losses = 1; losses <= 3; losses += 1) {
    provider.disconnect();
    await conversation.next('recovered', losses);
  }
  // Without the history the model would speak first: "Good morning."
  conversation.mind.respond();
  await conversation.next('answer_over', 2);
  expect(conversation.words(conversation.of('item_over')[1]?.item ?? '')).toBe('Thank you.');
  provider.disconnect();
  expect((await conversation.next('failed')).failure.kind).toBe('dropped');
});

test('a provider that is gone in the middle of a call ends the mind once its fallbacks have failed too', async () => {
  const provider = await startProvider({ script: SCRIPT });
  cleanups.push(() => provider.close());
  const conversation = new RecordedMind(provider, {}, { reconnects: true, fallbacks: [SETTINGS] });
  cleanups.push(() => conversation.mind.close());
  conversation.mind.respond();
  await conversation.next('answer_over');
  await provider.close();
  cleanups.pop();
  cleanups.pop();
  expect((await conversation.next('failed')).failure.kind).toBe('unreachable');
  conversation.mind.close();
});
