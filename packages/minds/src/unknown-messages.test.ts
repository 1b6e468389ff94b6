import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, test } from 'vitest';
import { anthropicMessages, chatCompletions, googleContent } from '../test/documented/language-models.ts';
import { deepgramSpeech as deepgramVoice, flux, nova } from '../test/documented/deepgram.ts';
import { disturbed, type Documented, type Message } from '../test/documented/documented.ts';
import { geminiLive } from '../test/documented/gemini-live.ts';
import { openAiLive } from '../test/documented/openai-live.ts';
import { openAiRealtime, xaiRealtime } from '../test/documented/openai-realtime.ts';
import { cartesiaSpeech, elevenLabsSpeech } from '../test/documented/voices.ts';
import { GEMINI_SETTINGS } from '../test/gemini-recording.ts';
import { answerOf } from '../test/language-models.ts';
import { LIVE_SETTINGS } from '../test/openai-live-recording.ts';
import { DIALECTS, KEY } from '../test/recorded-mind.ts';
import { aiSdkModel } from './cascade/llm/ai-sdk/ai-sdk-model.ts';
import type { LanguageModel } from './cascade/llm/language-model.ts';
import { openAiCompatibleModel } from './cascade/llm/openai-compatible/openai-compatible.ts';
import { LocalServer } from './cascade/local/local-server.ts';
import { deepgramFlux } from './cascade/stt/deepgram/deepgram-flux.ts';
import { deepgramNova } from './cascade/stt/deepgram/deepgram-nova.ts';
import { Transcriber } from './cascade/stt/local/transcriber.ts';
import type { OpenSpeechToText } from './cascade/stt/speech-to-text.ts';
import { cartesia } from './cascade/tts/cartesia/cartesia.ts';
import { deepgramSpeech } from './cascade/tts/deepgram/deepgram-speech.ts';
import { elevenLabs } from './cascade/tts/elevenlabs/elevenlabs.ts';
import type { OpenTextToSpeech } from './cascade/tts/text-to-speech.ts';
import type { Mind, MindEvent } from './mind.ts';
import { openGeminiMind } from './realtime/gemini/gemini-mind.ts';
import { openOpenAiLiveMind } from './realtime/openai-live/openai-live-mind.ts';
import { openOpenAiMind } from './realtime/openai/openai-mind.ts';
import type { OpenSocket, SocketListener } from './sockets.ts';

/** How to reach a provider that is the test. */
interface Access {
  readonly credential: string;
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: ManualClock;
}

interface Driver {
  readonly name: string;
  readonly documented: Documented;
  /** Kinds of events that come of the conversation. */
  readonly kinds: readonly string[];
  readonly isBinary?: true;
  readonly open: (access: Access, listener: (event: { readonly kind: string }) => void) => { close(): void };
}

const realtimeKinds = ['ready', 'callee_speaking', 'callee_said', 'words', 'sound', 'tool_call', 'usage'];

function mind(open: (access: Access, listener: (event: MindEvent) => void) => Mind): Driver['open'] {
  return (access, listener) => {
    const opened = open(access, listener);
    opened.openGate();
    opened.hear(new Uint8Array(8_000), 0);
    return opened;
  };
}

function ears(open: (access: Access) => OpenSpeechToText): Driver['open'] {
  return (access, listener) => {
    const opened = open(access)(listener);
    opened.hear(new Uint8Array(8_000), 0);
    return opened;
  };
}

function voice(open: (access: Access) => OpenTextToSpeech): Driver['open'] {
  return (access, listener) => {
    const opened = open(access)(listener);
    opened.speak('one', 'At nine. ');
    opened.finish('one');
    return opened;
  };
}

const VOICE = { model: 'm', voice: 'v' };

const DRIVERS: readonly Driver[] = [
  ...DIALECTS.map(({ provider, dialect, settings }) => ({
    name: `${provider} over the Realtime API`,
    documented: provider === 'xai' ? xaiRealtime : openAiRealtime,
    kinds: realtimeKinds.filter((kind) => provider !== 'xai' || kind !== 'usage'),
    open: mind((access, listener) => openOpenAiMind({ ...access, dialect, settings, listener })),
  })),
  {
    name: 'GPT-Live',
    documented: openAiLive,
    kinds: realtimeKinds,
    open: mind((access, listener) => openOpenAiLiveMind({ ...access, settings: LIVE_SETTINGS, listener })),
  },
  {
    name: 'Google’s Live API',
    documented: geminiLive,
    kinds: realtimeKinds,
    isBinary: true,
    open: mind((access, listener) => openGeminiMind({ ...access, settings: GEMINI_SETTINGS, listener })),
  },
  {
    name: 'Deepgram’s Flux',
    documented: flux,
    kinds: ['ready', 'speaking', 'hearing', 'likely_over', 'resumed', 'turn'],
    open: ears((access) => deepgramFlux(access, { model: 'flux', keywords: [], eagerEotThreshold: 0.4 })),
  },
  {
    name: 'Deepgram’s Nova',
    documented: nova,
    kinds: ['ready', 'speaking', 'hearing', 'turn'],
    open: ears((access) => deepgramNova(access, { model: 'nova-3', language: 'en', keywords: [], endpointingMs: 300 })),
  },
  {
    name: 'Deepgram’s speech',
    documented: deepgramVoice,
    kinds: ['ready', 'sound', 'usage', 'over'],
    open: voice((access) => deepgramSpeech(access, VOICE)),
  },
  {
    name: 'ElevenLabs',
    documented: elevenLabsSpeech,
    kinds: ['ready', 'usage', 'sound', 'words', 'over'],
    open: voice((access) => elevenLabs(access, VOICE)),
  },
  {
    name: 'Cartesia',
    documented: cartesiaSpeech,
    kinds: ['ready', 'usage', 'sound', 'words', 'over'],
    open: voice((access) => cartesia(access, { ...VOICE, language: 'en' })),
  },
];

/** What a driver makes of messages. The names of items are its own. */
function eventsOf({ open, isBinary }: Driver, messages: readonly (Message | string)[]): readonly object[] {
  const events: { readonly kind: string }[] = [];
  let provider: SocketListener | undefined;
  const openSocket: OpenSocket = (_address, listener) => {
    provider = listener;
    return { send: () => undefined, close: () => undefined };
  };
  const access = { credential: KEY, baseUrl: 'wss://provider.example', openSocket, clock: new ManualClock() };
  const opened = open(access, (event) => events.push(event));
  provider?.opened();
  for (const message of messages) {
    if (typeof message === 'string') provider?.receivedBinary?.(Buffer.from(message, 'base64'));
    else if (isBinary === true) provider?.receivedBinary?.(Buffer.from(JSON.stringify(message)));
    else provider?.received(JSON.stringify(message));
  }
  opened.close();
  return JSON.parse(JSON.stringify(events).replaceAll(/"[0-9a-f]{8}(?=_(?:callee_)?\d+")/g, '"name'));
}

describe.each(DRIVERS)('$name', (driver) => {
  const { documented, kinds } = driver;

  test('says what the documented messages mean', () => {
    const said = new Set(eventsOf(driver, documented.conversation).map((event) => Reflect.get(event, 'kind')));
    for (const kind of kinds) expect(said).toContain(kind);
    for (const kind of ['ignored', 'failed', 'answer_failed']) expect(said).not.toContain(kind);
  });

  test('takes no notice of unknown fields, of events that it has no use for, and of unknown ones', () => {
    const { conversation, unused, unknown } = documented;
    const expected = eventsOf(driver, conversation);
    expect(eventsOf(driver, disturbed(documented))).toEqual(expected);
    // Once ready, as many as it may send.
    const [first, ...rest] = conversation;
    const flood = Array.from({ length: 100 }, () => [...unused, ...unknown]).flat();
    if (first !== undefined) expect(eventsOf(driver, [first, ...flood, ...rest])).toEqual(expected);
  });
});

const MODEL = { model: 'm', maxOutputTokens: 100 };
const BASE_URL = 'https://provider.example/v1';

/** Answers each request with these messages, as a stream of events. */
function streamOf(messages: readonly (Message | string)[]): typeof globalThis.fetch {
  const text = messages.map((message) => {
    const type: unknown = typeof message === 'string' ? undefined : message['type'];
    return `${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
  });
  return async () =>
    new Response(`${text.join('')}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

const LANGUAGE_MODELS: readonly (readonly [string, Documented, (fetch: typeof globalThis.fetch) => LanguageModel])[] = [
  [
    'chat completions',
    chatCompletions,
    (fetch) =>
      openAiCompatibleModel({ settings: { ...MODEL, provider: 'openai' }, credential: KEY, baseUrl: BASE_URL, fetch }),
  ],
  [
    'OpenAI over the AI SDK',
    chatCompletions,
    (fetch) => aiSdkModel({ settings: { ...MODEL, provider: 'openai' }, credential: KEY, baseUrl: BASE_URL, fetch }),
  ],
  [
    'Anthropic over the AI SDK',
    anthropicMessages,
    (fetch) => aiSdkModel({ settings: { ...MODEL, provider: 'anthropic' }, credential: KEY, baseUrl: BASE_URL, fetch }),
  ],
  [
    'Google over the AI SDK',
    googleContent,
    (fetch) => aiSdkModel({ settings: { ...MODEL, provider: 'google' }, credential: KEY, baseUrl: BASE_URL, fetch }),
  ],
];

test.each(LANGUAGE_MODELS)('%s takes no notice of unknown fields and events', async (_name, documented, open) => {
  const asked = { instructions: 'Be brief.', conversation: [{ kind: 'callee', text: 'Hello?' }], tools: [] } as const;
  const of = async (messages: readonly (Message | string)[]) => {
    const events = await answerOf(open(streamOf(messages)), asked);
    const text = events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
    return { text, others: events.filter(({ kind }) => kind !== 'text') };
  };
  const expected = await of(documented.conversation);
  expect(expected.text).toBe('At nine.');
  expect(expected.others.at(-1)).toMatchObject({ kind: 'over', outcome: 'completed' });
  expect(expected.others).toContainEqual(expect.objectContaining({ kind: 'usage' }));
  expect(await of(disturbed(documented))).toEqual(expected);
});

/** Source: https://platform.openai.com/docs/api-reference/audio/verbose-json-object */
test('a local server may say more of a transcription than its words', async () => {
  const words = [{ word: 'Is', start: 0.2, end: 0.4 }];
  const segments = [{ id: 0, seek: 0, start: 0.2, end: 0.7, text: 'Is there?', tokens: [1], avg_logprob: -0.1 }];
  const answer = { task: 'transcribe', language: 'english', duration: 0.9, text: 'Is there?', words, segments };
  const failures: unknown[] = [];
  const clock = new ManualClock();
  const fetch = async () =>
    Response.json({ ...answer, usage: { type: 'duration', seconds: 1 }, mood: { name: 'calm' } });
  const transcriber = new Transcriber({
    server: new LocalServer({ credential: KEY, baseUrl: BASE_URL, fetch, clock }, 'stt'),
    fields: { model: 'whisper', language: 'en', keywords: [] },
    clock,
    usage: () => undefined,
    failed: (failure) => failures.push(failure),
  });
  expect(await transcriber.transcribe(new Uint8Array(8_000)).text).toBe('Is there?');
  expect(failures).toEqual([]);
});
