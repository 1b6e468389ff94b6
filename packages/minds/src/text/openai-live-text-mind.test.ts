import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIVE_SETTINGS } from '../../test/openai-live-recording.ts';
import { loopbackSockets } from '../../test/loopback.ts';
import { startProvider, type Provider } from '../../test/provider.ts';
import { KEY } from '../../test/recorded-mind.ts';
import { TextRecording } from '../../test/text-recording.ts';
import { createSockets } from '../sockets.ts';
import { openOpenAiLiveTextMind } from './openai-live-text-mind.ts';

const SCRIPT = {
  opening: { say: 'Good morning, this is the dental practice.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, say: 'One moment.', tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object' } };

let provider: Provider;
let conversation: TextRecording;
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT, timings: { liveSpeed: 10, thinkMs: 50 } });
});
afterEach(async () => {
  conversation.mind.close();
  await provider.close();
});

function open({ credential = KEY, model = LIVE_SETTINGS.model } = {}): TextRecording {
  conversation = new TextRecording((listener) =>
    openOpenAiLiveTextMind({
      settings: { ...LIVE_SETTINGS, model, tools: [LOOKUP] },
      credential,
      baseUrl: provider.baseUrlOf('openai_live'),
      openSocket: createSockets({ clock: systemClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' }),
      clock: systemClock,
      listener,
    }),
  );
  return conversation;
}

/** The connection is made with the first request. */
function hearing(one: TextRecording): TextRecording {
  one.mind.hear('What?');
  return one;
}

test('speaks first when it is asked to, before the provider has accepted its settings', async () => {
  open().mind.respond();
  expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
  expect(conversation.answers()).toEqual(['Good morning, this is the dental practice.']);
});

test('calls a tool and answers its result once, and reports all that it was billed for', async () => {
  open();
  conversation.mind.said('Good morning.');
  conversation.mind.hear('On Tuesday?');
  const { id, name, argumentsText } = await conversation.next('tool_call');
  expect([name, argumentsText]).toEqual(['lookup', '{"day":"Tuesday"}']);
  for (const output of ['free: 9:00', 'again: 9:00']) conversation.mind.toolResult({ id, output, answer: true });
  await conversation.next('answer_over', 2);
  conversation.mind.hear('What?');
  await conversation.next('answer_over', 3);
  expect(conversation.answers()).toEqual(['One moment.', 'There is a slot at nine.', 'Could you say that again?']);
  const used = conversation.of('usage').flatMap(({ entries }) => entries);
  const tokens = used.flatMap(({ unit, quantity }) => (unit === 'second' ? [] : [quantity]));
  expect(tokens.reduce((sum, more) => sum + more, 0)).toBe(provider.billedTokens());
});

test('answers texts that come during an answer after it, one at a time', async () => {
  open();
  conversation.mind.hear('What?');
  conversation.mind.hear('And?');
  await conversation.next('answer_over', 2);
  expect(conversation.answers()).toEqual(['Could you say that again?', 'Could you say that again?']);
});

test('a connection that is lost fails the mind, as its last event', async () => {
  open().mind.hear('What?');
  await conversation.next('answer_over');
  provider.disconnect();
  expect((await conversation.next('failed')).failure).toMatchObject({ component: 'realtime', kind: 'dropped' });
  const { length } = conversation.events;
  conversation.mind.hear('Hello?');
  expect(conversation.events).toHaveLength(length);
});

test('a credential that the provider rejects fails the mind, and its message does not contain it', async () => {
  const credential = 'sk-live-canary-4711';
  const { failure } = await hearing(open({ credential })).next('failed');
  expect(failure).toMatchObject({ component: 'realtime', kind: 'rejected' });
  expect(failure.message).not.toContain(credential);
});
