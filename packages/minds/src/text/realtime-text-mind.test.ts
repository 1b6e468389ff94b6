import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DIALECTS, KEY } from '../../test/recorded-mind.ts';
import { loopbackSockets } from '../../test/loopback.ts';
import { startProvider, type Provider } from '../../test/provider.ts';
import { TextRecording } from '../../test/text-recording.ts';
import { createSockets } from '../sockets.ts';
import { openRealtimeTextMind } from './realtime-text-mind.ts';

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
const minds: TextRecording[] = [];
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT });
});
afterEach(async () => {
  for (const { mind } of minds.splice(0)) mind.close();
  await provider.close();
});

describe.each(DIALECTS)('a text over $provider', ({ dialect, settings }) => {
  function open({ credential = KEY, model = settings.model } = {}): TextRecording {
    const openSocket = createSockets({ clock: systemClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' });
    const opened = new TextRecording((listener) =>
      openRealtimeTextMind({
        dialect,
        settings: { ...settings, model, tools: [LOOKUP] },
        credential,
        baseUrl: provider.baseUrlOf(dialect.provider),
        openSocket,
        clock: systemClock,
        listener,
      }),
    );
    minds.push(opened);
    return opened;
  }

  test('speaks first when it is asked to, before the provider has accepted its settings', async () => {
    const conversation = open();
    conversation.mind.respond();
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    expect(conversation.answers()).toEqual(['Good morning, this is the dental practice.']);
  });

  test('answers what was written before the provider accepted its settings', async () => {
    const conversation = open();
    conversation.mind.said('Good morning.');
    conversation.mind.hear('What?');
    await conversation.next('answer_over');
    expect(conversation.answers()).toEqual(['Could you say that again?']);
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
    const billed = provider.ledger.totals().reduce((sum, { quantity }) => sum + quantity, 0);
    expect(conversation.used()).toBeCloseTo(billed, 2);
    expect(billed).toBeGreaterThan(0);
  });

  test('answers texts that come during an answer after it, one at a time', async () => {
    const conversation = open();
    conversation.mind.hear('What?');
    conversation.mind.hear('And?');
    await conversation.next('answer_over', 2);
    expect(conversation.answers()).toEqual(['Could you say that again?', 'Could you say that again?']);
    expect(conversation.of('failed')).toEqual([]);
  });

  test('a connection that is lost fails the mind, as its last event', async () => {
    const conversation = open();
    conversation.mind.hear('What?');
    await conversation.next('answer_over');
    provider.disconnect();
    expect((await conversation.next('failed')).failure).toMatchObject({ component: 'realtime', kind: 'dropped' });
    const { length } = conversation.events;
    conversation.mind.hear('Hello?');
    expect(conversation.events).toHaveLength(length);
  });

  test('a credential that the provider rejects fails the mind, and its message does not contain it', async () => {
    const credential = 'sk-live-canary-4711';
    const { failure } = await open({ credential }).next('failed');
    expect(failure).toMatchObject({ component: 'realtime', kind: 'rejected' });
    expect(failure.message).not.toContain(credential);
  });
});
