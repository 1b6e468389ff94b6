import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { GEMINI_SETTINGS } from '../../../test/gemini-recording.ts';
import type { MindEvent } from '../../mind.ts';
import type { SocketListener } from '../../sockets.ts';
import { openGeminiMind } from './gemini-mind.ts';

type Message = Readonly<Record<string, unknown>>;
const KEY = 'AIza-canary-4711';

/** A mind whose provider is the test. */
function scripted() {
  const clock = new ManualClock();
  const events: MindEvent[] = [];
  const sent: Message[] = [];
  const addresses: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  let listener: SocketListener | undefined;
  const mind = openGeminiMind({
    settings: GEMINI_SETTINGS,
    credential: KEY,
    baseUrl: 'wss://generativelanguage.googleapis.com/v1beta',
    openSocket(address, on) {
      addresses.push(address);
      listener = on;
      return { send: (data) => void sent.push(JSON.parse(String(data))), close: () => undefined };
    },
    clock,
    listener: (event) => events.push(event),
  });
  const receive = (...messages: readonly object[]) => {
    for (const message of messages) listener?.receivedBinary?.(Buffer.from(JSON.stringify(message)));
  };
  const accepted = () => {
    listener?.opened();
    receive({ setupComplete: {} });
  };
  return { mind, clock, events, sent, receive, accepted, addresses, end: () => listener };
}

const content = (serverContent: object) => ({ serverContent });
const sound = (milliseconds: number) =>
  content({
    modelTurn: {
      parts: [
        { inlineData: { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(48 * milliseconds).toString('base64') } },
      ],
    },
  });
const words = (text: string) => content({ outputTranscription: { text } });
const over = content({ turnComplete: true });
const kindsOf = (events: readonly MindEvent[]) => events.map(({ kind }) => kind);
const textsOf = (sent: readonly Message[]) =>
  sent.flatMap(({ clientContent }) => (clientContent === undefined ? [] : [JSON.stringify(clientContent)]));

test('the key is in a header and nowhere else, and the settings are the first message', () => {
  const { mind, addresses, sent, accepted } = scripted();
  mind.say('Good morning.');
  mind.hear(new Uint8Array(320).fill(0xff), 0);
  accepted();
  expect(addresses).toEqual([
    {
      url: 'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
      headers: { 'x-goog-api-key': KEY },
    },
  ]);
  expect(JSON.stringify(sent)).not.toContain('canary');
  expect(sent[0]).toMatchObject({ setup: { model: 'models/gemini-3.8-live' } });
  expect(sent[1]).toMatchObject({ clientContent: { turnComplete: true } });
  mind.close();
});

test('the callee is heard as linear PCM at the rate of the telephone', () => {
  const { mind, sent, accepted } = scripted();
  accepted();
  mind.hear(new Uint8Array(320).fill(0xff), 0);
  expect(sent.at(-1)).toEqual({
    realtimeInput: { audio: { mimeType: 'audio/pcm;rate=8000', data: Buffer.alloc(640).toString('base64') } },
  });
  mind.close();
});

test('one message may have many parts, and its turn is over last', () => {
  const { mind, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  receive({
    ...content({
      ...sound(40).serverContent,
      inputTranscription: { text: 'Yes.' },
      outputTranscription: { text: 'Fine.' },
      generationComplete: true,
      turnComplete: true,
    }),
    usageMetadata: { promptTokenCount: 3, responseTokenCount: 4 },
    unheardOf: { nested: true },
  });
  expect(kindsOf(events)).toEqual([
    'ready',
    'callee_speaking',
    'callee_said',
    'sound',
    'words',
    'sound',
    'item_over',
    'usage',
    'answer_over',
  ]);
  mind.close();
});

test('an answer that calls a tool and is not ended is complete after a second', () => {
  const { mind, clock, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  receive(words('One moment.'), { toolCall: { functionCalls: [{ id: 'c1', name: 'lookup' }] } });
  expect(kindsOf(events)).not.toContain('answer_over');
  clock.turn(1_000);
  expect(events.at(-1)).toMatchObject({ kind: 'answer_over', outcome: 'completed', empty: false });
  receive(over);
  expect(events.filter(({ kind }) => kind === 'answer_over')).toHaveLength(1);
  mind.close();
});

test('a turn that the model does not answer is over, with an answer of nothing', () => {
  const { mind, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  receive(content({ inputTranscription: { text: 'One moment.' } }), content({ generationComplete: true }), over);
  receive(content({ inputTranscription: { text: 'I am back.' } }), over);
  expect(events.flatMap((event) => (event.kind === 'callee_said' ? [event.text] : []))).toEqual([
    'One moment.',
    'I am back.',
  ]);
  const answers = events.filter(({ kind }) => kind === 'answer_over');
  expect(answers).toMatchObject([{ empty: true }, { empty: true }]);
  mind.close();
});

test('words that follow a long pause are another turn', () => {
  const { mind, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  mind.calleeSpeech?.({ kind: 'began', atMs: 1_000 });
  mind.calleeSpeech?.({ kind: 'ended', atMs: 1_500 });
  receive(content({ inputTranscription: { text: 'One moment.' } }));
  mind.calleeSpeech?.({ kind: 'began', atMs: 6_000 });
  receive(content({ inputTranscription: { text: 'I am back.' } }));
  mind.close();
  expect(events.flatMap((event) => (event.kind === 'callee_said' ? [[event.text, event.startMs]] : []))).toEqual([
    ['One moment.', 1_000],
    ['I am back.', 6_000],
  ]);
});

test('the result of a call that the provider canceled is a text', () => {
  const { mind, sent, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  receive({ toolCall: { functionCalls: [{ id: 'c1', name: 'lookup', args: {} }] } }, over);
  receive({ toolCallCancellation: { ids: ['c1'] } });
  mind.toolResult({ id: 'c1', output: '9:00', answer: true });
  expect(sent.at(-1)).toMatchObject({
    clientContent: { turns: [{ role: 'user', parts: [{ text: '[Result of lookup: 9:00]' }] }], turnComplete: true },
  });
  mind.close();
});

test('what the model does not answer keeps it from nothing after ten seconds', () => {
  const { mind, clock, sent, accepted } = scripted();
  accepted();
  mind.openGate();
  mind.say('One.');
  mind.say('Two.');
  expect(textsOf(sent)).toHaveLength(1);
  clock.turn(10_000);
  expect(textsOf(sent)[1]).toContain('Two.');
  mind.close();
});

test('an answer that the model rejects has failed, and the mind goes on', () => {
  const { mind, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  mind.respond();
  receive(content({ turnComplete: true, turnCompleteReason: 'RESPONSE_REJECTED' }));
  expect(events.at(-1)).toMatchObject({ kind: 'answer_failed', failure: { kind: 'unreachable', blamesRequest: true } });
  mind.respond();
  receive(words('Hello.'), over);
  expect(events.at(-1)).toMatchObject({ kind: 'answer_over', outcome: 'completed' });
  mind.close();
});

test('the model reads what was heard of an answer that is cut after it came', () => {
  const { mind, sent, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  mind.say('Good morning to you.');
  receive(sound(200), words('Good morning to you.'), content({ generationComplete: true }), over);
  const item = events.find((event) => event.kind === 'sound')?.item ?? '';
  mind.cut({ item, playedMs: 100, heardText: 'Good morning' });
  mind.cut({ item, playedMs: 150, heardText: 'Good morning to' });
  mind.cut({ item: 'unknown', playedMs: 150, heardText: 'Good' });
  const notes = textsOf(sent).slice(1);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain('they heard only: \\"Good morning\\"');
  expect(notes[0]).toContain('"turnComplete":false');
  mind.close();
});

test('sound in another format and messages that are no JSON are ignored, up to a bound', () => {
  const { mind, events, receive, accepted, end } = scripted();
  accepted();
  mind.openGate();
  receive(
    content({
      modelTurn: { parts: [{ inlineData: { mimeType: 'audio/opus', data: 'AAAA' } }, { text: 'A thought.' }] },
    }),
  );
  expect(kindsOf(events)).toEqual(['ready', 'ignored']);
  for (let sent = 0; sent < 60; sent += 1) end()?.received('{"serverContent":');
  expect(events.at(-1)).toMatchObject({ kind: 'failed', failure: { kind: 'invalid_response' } });
});

test('turns of the callee have the times of the ear, across a pause within a turn', () => {
  const { mind, events, receive, accepted } = scripted();
  accepted();
  mind.openGate();
  const ear = (kind: 'began' | 'ended', atMs: number) => mind.calleeSpeech?.({ kind, atMs });
  ear('began', 1_000);
  ear('ended', 1_500);
  receive(content({ inputTranscription: { text: 'Well, ' } }));
  ear('began', 1_900);
  ear('ended', 2_600);
  receive(content({ inputTranscription: { text: 'yes.' } }), words('Fine.'), over);
  ear('began', 9_000);
  ear('ended', 9_400);
  receive(content({ inputTranscription: { text: 'Bye.', finished: true } }));
  const said = events.flatMap((event) =>
    event.kind === 'callee_said' ? [[event.text, event.startMs, event.endMs]] : [],
  );
  expect(said).toEqual([
    ['Well, yes.', 1_000, 2_600],
    ['Bye.', 9_000, 9_400],
  ]);
  mind.close();
});
