import { randomUUID } from 'node:crypto';
import { agentSettingsSchema, callIdSchema, type ConductedSettings } from '@outdial/contracts';
import { ManualClock } from '@outdial/testkit/async';
import { createTurnDetector } from '../hearing/turn-detector.ts';
import type { FromMind, MindLink, ToMind } from '../model/bridge.ts';
import { conductedTextsOf } from '../model/conducted-texts.ts';
import { ModelAgent } from '../model/model-agent.ts';
import { createScriptLine } from '../scripted/script-line.ts';
import { startCall, type TestCall } from './conversation.ts';
import { silence, whiteNoise } from './sounds.ts';

const SETTINGS = {
  name: 'Appointment',
  instructions: 'You call patients of a dental practice.',
  first_message: 'Good morning {{name}}, this is the dental practice.',
  closing: 'Goodbye.',
};
const REALTIME = { driver: 'realtime', model: { provider: 'openai', model: 'gpt-realtime-2.1' } };

/** Changes that give the same agent a cascade of models. */
export const CASCADE = {
  driver: 'cascade',
  llm: { provider: 'openai', model: 'gpt-5-mini' },
  tts: { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL' },
};

const conductedSettings = (changes: object = {}): ConductedSettings => {
  const settings = agentSettingsSchema.parse({ ...SETTINGS, ...('driver' in changes ? {} : REALTIME), ...changes });
  if (settings.driver === 'scripted') throw new Error('not conducted');
  return settings;
};

/** Sound that counts as speech, with the short pauses that speech has. */
export const speech = (ms: number): Int16Array =>
  whiteNoise(ms, 4_000).map((sample, at) =>
    at % (PAUSE_EVERY_MS * 8) >= (PAUSE_EVERY_MS - PAUSE_MS) * 8 ? 0 : sample,
  );
const PAUSE_EVERY_MS = 1_000;
const PAUSE_MS = 100;

/** A mind that does what the test says, and everything that its agent asked of it. */
export class FakeMind implements MindLink {
  readonly asked: ToMind[] = [];
  /** What the ear heard. */
  readonly speech: ToMind[] = [];
  #listener: ((event: FromMind) => void) | undefined;

  attach(_callId: unknown, listener: (event: FromMind) => void) {
    this.#listener = listener;
    return {
      send: (message: ToMind) => {
        if (message.kind === 'speech') this.speech.push(message);
        else if (message.kind !== 'audio') this.asked.push(message);
        if (message.kind === 'close') this.emit({ kind: 'closed' });
      },
      release: () => {
        this.#listener = undefined;
      },
    };
  }

  emit(event: FromMind): void {
    this.#listener?.(event);
  }

  /** A whole answer, as fast as a provider sends it. */
  says(item: string, text: string, ms: number): void {
    this.begins(item, text, ms);
    this.emit({ kind: 'item_over', item });
    this.emit({ kind: 'answer_over', empty: false });
  }

  /** An answer of which more may follow. */
  begins(item: string, text: string, ms: number): void {
    // Loud, so that it differs from silence.
    this.sounds(item, text, new Uint8Array(ms * 8).fill(0x90));
  }

  sounds(item: string, text: string, ulaw: Uint8Array<ArrayBuffer>): void {
    this.emit({ kind: 'words', item, text });
    this.emit({ kind: 'sound', item, ulaw });
  }

  of<Kind extends ToMind['kind']>(kind: Kind): readonly Extract<ToMind, { kind: Kind }>[] {
    return this.asked.filter((message): message is Extract<ToMind, { kind: Kind }> => message.kind === kind);
  }
}

export interface ConductedCall {
  readonly agent: ModelAgent;
  readonly mind: FakeMind;
  readonly callee: TestCall;
}

const builtIn = (text: string, ms: number) =>
  createScriptLine({
    purpose: 'closing',
    path: 'failure_message',
    text,
    voice: 'slt',
    synthesizer: { synthesize: async () => whiteNoise(ms, 2_000) },
  });

/** A call whose agent hears loud sound as speech. */
export async function conductedCall(changes: object = {}): Promise<ConductedCall> {
  const settings = conductedSettings(changes);
  const variables = { name: 'Anna' };
  const mind = new FakeMind();
  const texts = conductedTextsOf(settings, variables);
  const failureLine = builtIn(texts.failure, 600);
  const waitingLines = settings.waiting.phrases.map((phrase) => builtIn(phrase, 400));
  await Promise.all([failureLine, ...waitingLines].map((line) => line.prepare()));
  const agent = new ModelAgent({
    callId: callIdSchema.parse(randomUUID()),
    settings,
    texts,
    link: mind,
    detector: createTurnDetector({ isVoice: (frame) => frame.some((sample) => sample > 2_000), free: () => undefined }),
    clock: new ManualClock(),
    failureLine,
    waitingLines,
  });
  return { agent, mind, callee: startCall(agent) };
}

/** A call with a person who has heard the first message. */
export async function greetedCall(changes: object = {}): Promise<ConductedCall> {
  const call = await conductedCall(changes);
  const { callee, mind } = call;
  mind.emit({ kind: 'ready' });
  mind.says('first', 'Good morning Anna, this is the dental practice.', 1_000);
  callee.say(silence(200));
  callee.say(speech(500));
  callee.hearOut();
  return call;
}

/** The callee says something, and the mind hears it. */
export function calleeSays(call: ConductedCall, text: string, ms = 600): void {
  const startMs = call.callee.nowMs();
  call.mind.emit({ kind: 'callee_speaking', atMs: startMs });
  call.callee.say(speech(ms));
  call.callee.say(silence(720));
  call.mind.emit({ kind: 'callee_said', text, startMs, endMs: startMs + ms });
}
