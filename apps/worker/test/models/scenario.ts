import { UNRECOGNISED, type ProviderTimings, type Script } from '@outdial/simulated-providers';
import type { AnsweredBy, EndedReason, Turn } from '@outdial/contracts';
import { REALTIME_CHOICE, REALTIME_PATHS, type Family, type RealtimeProvider } from './conducted-agent.ts';

/** A call to one callee, and what its model answers. */
export interface Scenario {
  readonly family: Family;
  /** All three models of the cascade are on one local server. */
  readonly isLocal?: boolean;
  /** Of the realtime family. Default: OpenAI. */
  readonly provider?: RealtimeProvider;
  /** By its name in the callee's table. */
  readonly persona: string;
  readonly script: Script;
  readonly settings?: object;
  /** Parts of the choice of a component's model. */
  readonly models?: Readonly<Partial<Record<'model' | 'stt' | 'llm' | 'tts', object>>>;
  /** Names of HTTP tools: `slots` answers, `broken` refuses, `hangs` never answers. */
  readonly httpTools?: readonly ('slots' | 'broken' | 'hangs')[];
  readonly timings?: Partial<ProviderTimings>;
  /** No callee answers: it is conducted beside all others. */
  readonly isQuiet?: boolean;
  readonly ringTimeoutSeconds?: number;
}

export type ExpectedTurn = readonly [role: 'agent' | 'callee', text: string, source: string];

/** A scenario, and what must come of it. */
export interface WholeCall extends Scenario {
  readonly name: string;
  readonly expected: {
    /** Absent where it depends on how much of the missed sound comes back. */
    readonly reason?: EndedReason;
    /** Null for an unanswered call. */
    readonly answeredBy: AnsweredBy | null;
    /** They are in the transcript in this order, maybe with others between them. */
    readonly turns?: readonly ExpectedTurn[];
  };
}

export const OPENING = 'Good morning Anna, this is the dental practice.';
export const GENERATED = 'Good morning Anna, this is the dental practice of Doctor Miller.';
export const MESSAGE = 'Please call the dental practice back.';
export const OBJECTION = 'Wait, hold on a second, I have a question first.';
export const PROMPT = 'Are you there?';
export const BYE = 'Thank you, goodbye.';
export const SLOT = 'There is a free slot at nine on Tuesday.';
const REPLY = 'A reminder of an appointment.';
export const TEXTS = [OPENING, GENERATED, MESSAGE, PROMPT, BYE, SLOT, REPLY];
export const endCall = { name: 'end_call', arguments: { reason: 'done' } };
export const callee = (text: string): ExpectedTurn => ['callee', text, 'stt'];
export const says = (text: string): ExpectedTurn => ['agent', text, 'model'];
export const reads = (text: string): ExpectedTurn => ['agent', text, 'script'];

const CASCADE_PROVIDERS = [
  ['openai', '/v1'],
  ['deepgram', ''],
  ['elevenlabs', ''],
] as const;

/** Which providers a call asks, with the path of each. */
export function providersOf({ family, provider = 'openai', isLocal = false }: Scenario) {
  if (isLocal) return [['local', '/v1']] as const;
  return family === 'cascade' ? CASCADE_PROVIDERS : ([[provider, REALTIME_PATHS[provider]]] as const);
}

const COMMON = {
  name: 'Appointment',
  instructions: 'You call patients of a dental practice.',
  first_message: 'Good morning {{name}}, this is the dental practice.',
  // On a busy machine the answers are late, and most calls are not about what bridges the pause.
  waiting: { after_ms: 10_000 },
  no_input: { after_ms: 60_000 },
};

/** Settings of the scenario's agent, whose credentials begin with this name. */
export function settingsOf(scenario: Scenario, on: { readonly credential: string; readonly toolsUrl: string }) {
  const { family, provider = 'openai', isLocal = false, models = {}, httpTools = [] } = scenario;
  const credential = (of: string) => ({ provider: of, credential: `${on.credential}-${of}` });
  const choices = {
    realtime: { model: { ...REALTIME_CHOICE[provider], ...credential(provider), ...models.model } },
    cascade: {
      stt: { ...credential('deepgram'), ...withFallbacks(credential('deepgram'), models.stt) },
      llm: { ...credential('openai'), model: 'gpt-simulated', ...models.llm },
      tts: {
        ...credential('elevenlabs'),
        voice: 'simulatedvoice1',
        ...withFallbacks({ ...credential('elevenlabs'), voice: 'simulatedvoice1' }, models.tts),
      },
    },
  };
  const localChoices = {
    stt: { ...credential('local'), model: 'whisper', ...models.stt },
    llm: { ...credential('local'), model: 'gpt-simulated', ...models.llm },
    tts: { ...credential('local'), model: 'kokoro', voice: 'af_heart', ...models.tts },
  };
  const tools = httpTools.map((name) => ({
    type: 'http',
    name,
    description: 'Finds free slots.',
    url: `${on.toolsUrl}/${name}`,
    timeout_ms: name === 'hangs' ? 500 : 10_000,
  }));
  const { tools: others = [], ...settings }: { readonly tools?: readonly object[] } = scenario.settings ?? {};
  return {
    ...COMMON,
    driver: family,
    ...settings,
    tools: [...tools, ...others],
    ...(isLocal ? localChoices : choices[family]),
  };
}

/** A fallback is given by what is particular about it. */
function withFallbacks(base: object, choice: { readonly fallbacks?: readonly object[] } = {}) {
  const { fallbacks = [] } = choice;
  return { ...choice, fallbacks: fallbacks.map((fallback) => ({ ...base, ...fallback })) };
}

/** A busy machine garbles sentences, so that the ears do not know them, and a callee may hear the end of a turn too soon. */
const isExpected = (turn: Turn, [role, text, source]: ExpectedTurn): boolean =>
  turn.role === role &&
  turn.source === source &&
  (turn.text === text ||
    (role === 'callee' && turn.text === UNRECOGNISED) ||
    (turn.interrupted && text.startsWith(turn.text ?? text)));

/** The expected turns that the transcript has, in their order. */
export function expectedTurnsIn({ expected: { turns = [] } }: WholeCall, transcript: readonly Turn[]) {
  let from = 0;
  return turns.filter((turn) => {
    const at = transcript.findIndex((candidate, index) => index >= from && isExpected(candidate, turn));
    if (at >= 0) from = at + 1;
    return at >= 0;
  });
}
