import { ManualClock } from '@outdial/testkit/async';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startProvider, type Provider } from '../../../../test/provider.ts';
import { RecordedMind, XAI } from '../../../../test/recorded-mind.ts';
import type { MindEvent } from '../../../mind.ts';
import type { OpenSocket, SocketListener } from '../../../sockets.ts';
import { openOpenAiMind } from '../openai-mind.ts';

const HELLO = 'Hello?';
const LONG = 'This is a rather long sentence, which comes in many pieces.';
const SCRIPT = { opening: { say: 'Good morning.' }, rules: [{ when: /Hello/, say: 'Yes?' }], otherwise: { say: LONG } };
const { dialect, settings } = XAI;

let provider: Provider;
let conversation: RecordedMind | undefined;
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT, sentences: [HELLO] });
});
afterEach(async () => {
  conversation?.mind.close();
  await provider.close();
});

function open(): RecordedMind {
  conversation = new RecordedMind(provider, { dialect, settings });
  return conversation;
}

const message = z.looseObject({ type: z.string() });

/** A mind whose provider is this test. */
function scripted() {
  const sent: z.output<typeof message>[] = [];
  const events: MindEvent[] = [];
  const clock = new ManualClock();
  let provides: SocketListener | undefined;
  const openSocket: OpenSocket = (_address, listener) => {
    provides = listener;
    return { send: (text) => void sent.push(message.parse(JSON.parse(String(text)))), close: () => undefined };
  };
  const mind = openOpenAiMind({
    dialect,
    settings,
    credential: 'key',
    baseUrl: 'wss://api.x.ai/v1',
    openSocket,
    clock,
    listener: (event) => events.push(event),
  });
  const receive = (...messages: readonly object[]) => {
    for (const one of messages) provides?.received(JSON.stringify(one));
  };
  return {
    mind,
    clock,
    sent,
    events,
    receive,
    isConnected: () => provides !== undefined,
    opened: () => provides?.opened(),
  };
}

/** The callee has answered, and the gate is open. */
function answered() {
  const one = scripted();
  one.mind.openGate();
  one.mind.hear(new Uint8Array(160), 0);
  one.opened();
  one.receive({ type: 'session.updated' });
  return one;
}

test('no connection is made while it rings, and what was asked is asked with the first sound', () => {
  const { mind, sent, receive, isConnected, opened } = scripted();
  mind.say('Good morning.');
  mind.openGate();
  expect(isConnected()).toBe(false);
  mind.hear(new Uint8Array(160), 0);
  opened();
  receive({ type: 'session.updated' });
  const kinds = sent.map(({ type }) => type);
  expect(kinds).toEqual(['session.update', 'input_audio_buffer.append', 'response.create']);
  expect(sent[0]).toMatchObject({
    session: { voice: 'eve', turn_detection: { type: 'server_vad', create_response: false } },
  });
  expect(sent[2]).toMatchObject({ response: { instructions: expect.stringContaining('"Good morning."') } });
  receive({ type: 'response.created', response: { id: 'response_1' } });
  expect(sent[3]).toMatchObject({ session: { turn_detection: { create_response: true } } });
  mind.close();
});

test('the callee is answered also if the provider refuses what was asked for', () => {
  const { mind, sent, receive, opened } = scripted();
  mind.say('Good morning.');
  mind.openGate();
  mind.hear(new Uint8Array(160), 0);
  opened();
  receive({ type: 'session.updated' });
  receive({ type: 'error', error: { type: 'invalid_request_error', code: 'invalid_value', message: 'Refused.' } });
  expect(sent.at(-1)).toMatchObject({ session: { turn_detection: { create_response: true } } });
  mind.close();
});

test('an opening that begins when the call is over lets the provider answer nothing any more', () => {
  const { mind, sent, receive, opened } = scripted();
  mind.say('Good morning.');
  mind.openGate();
  mind.hear(new Uint8Array(160), 0);
  opened();
  receive({ type: 'session.updated' });
  void mind.callOver();
  receive({ type: 'response.created', response: { id: 'response_1' } });
  expect(sent.filter(({ type }) => type === 'session.update').at(-1)).toMatchObject({
    session: { turn_detection: null },
  });
  mind.close();
});

test('the time of the connection is reported while it lasts, with each item of text', async () => {
  const { mind, clock, events } = answered();
  mind.pressed('1');
  await clock.turnGently(12_000, 1_000);
  mind.close();
  await clock.turnGently(12_000, 1_000);
  const used = events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
  expect(used).toMatchObject([
    { component: 'realtime', provider: 'xai', model: settings.model, unit: 'request', quantity: 1 },
    { unit: 'second', quantity: 5 },
    { unit: 'second', quantity: 5 },
    { unit: 'second', quantity: 2 },
  ]);
});

test('each item of text that the provider bills is counted', async () => {
  const one = open();
  one.mind.pressed('1');
  await one.next('answer_over');
  one.mind.pressed('2');
  await one.next('answer_over', 2);
  const used = one.of('usage').flatMap(({ entries }) => entries);
  expect(used.filter(({ unit }) => unit === 'request')).toHaveLength(provider.ledger.total({ unit: 'request' }));
  expect(provider.ledger.total({ unit: 'request' })).toBe(2);
});

test('an answer that the provider begins before the gate opens is neither heard nor remembered', () => {
  const { mind, sent, events, receive, opened } = scripted();
  mind.hear(new Uint8Array(160), 0);
  opened();
  receive({ type: 'session.updated' }, { type: 'response.created', response: { id: 'r1' } });
  expect(sent.at(-1)).toEqual({ type: 'response.cancel', response_id: 'r1' });
  receive(
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', delta: 'AAAA' },
    { type: 'response.output_audio_transcript.delta', response_id: 'r1', item_id: 'i1', delta: 'Hello.' },
    {
      type: 'response.output_item.done',
      response_id: 'r1',
      item: { type: 'function_call', id: 'i2', call_id: 'c1', name: 'end_call', arguments: '{}' },
    },
    { type: 'response.done', response: { id: 'r1', status: 'completed' } },
  );
  expect(sent.at(-1)).toEqual({ type: 'conversation.item.delete', item_id: 'i2' });
  expect(events.map(({ kind }) => kind)).toEqual(['ready']);
  mind.close();
});

test('a response that is left open is over when the next begins, and late parts of it are not heard', () => {
  const { mind, events, receive } = answered();
  receive(
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.created', response: { id: 'r2' } },
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', delta: 'AAAA' },
    { type: 'response.output_audio.delta', response_id: 'r2', item_id: 'i2', delta: 'AAAA' },
    { type: 'response.done', response: { id: 'r1', status: 'cancelled' } },
    { type: 'response.done', response: { id: 'r2', status: 'completed', status_details: 'unimplemented' } },
  );
  expect(events.filter(({ kind }) => kind !== 'ready')).toMatchObject([
    { kind: 'sound', item: 'i2' },
    { kind: 'answer_over', outcome: 'completed', empty: false },
  ]);
  mind.close();
});

const turn = (item: string) => [
  { type: 'input_audio_buffer.speech_started', item_id: item },
  { type: 'input_audio_buffer.speech_stopped', item_id: item },
];
const understood = (kind: 'updated' | 'completed', item: string, transcript: string) => ({
  type: `conversation.item.input_audio_transcription.${kind}`,
  item_id: item,
  transcript,
});

test('words that are completed again and again are said once, in full', () => {
  const { mind, events, receive } = answered();
  const [began = {}, stopped = {}] = turn('t1');
  receive(began, understood('completed', 't1', 'Yes,'), understood('completed', 't1', 'Yes, please.'), stopped);
  receive(understood('completed', 't1', 'Yes, please.'), understood('completed', 't1', 'Yes, please.'));
  const said = events.flatMap((event) => (event.kind === 'callee_said' ? [event.text] : []));
  expect(said).toEqual(['Yes, please.']);
  mind.close();
});

test('words that are never completed are said before the next turn, or at the end', () => {
  const { mind, events, receive } = answered();
  receive(...turn('t1'), understood('updated', 't1', 'Yes.'), ...turn('t2'), understood('updated', 't2', 'Bye.'));
  mind.close();
  const said = events.flatMap((event) => (event.kind === 'callee_said' ? [event.text] : []));
  expect(said).toEqual(['Yes.', 'Bye.']);
});

test('an item after one that was never named is no reason to fail', async () => {
  const one = open();
  one.mind.openGate();
  one.hear(HELLO);
  const { item } = await one.next('item_over');
  expect(one.words(item)).toBe('Yes?');
  expect(one.of('failed')).toEqual([]);
});
