import type { Provider } from '../providers.ts';
import type { RealtimeModel, RealtimeSettings } from './realtime.ts';
import type { ConductedSettings } from './settings.ts';

/** A part of an agent that one model does and one provider bills. */
export const COMPONENTS = ['realtime', 'stt', 'llm', 'tts'] as const;
export type Component = (typeof COMPONENTS)[number];

/** What models of each provider do over their own connections. What a speech-to-speech model does beside that goes over its session. */
export const COMPONENTS_OF = {
  openai: ['realtime', 'llm'],
  openai_live: ['realtime'],
  deepgram: ['stt', 'tts'],
  elevenlabs: ['tts'],
  cartesia: ['tts'],
  anthropic: ['llm'],
  google: ['realtime', 'llm'],
  azure: ['realtime'],
  xai: ['realtime'],
  openai_compatible: ['llm'],
  local: ['stt', 'llm', 'tts'],
} as const satisfies Readonly<Record<Provider, readonly Component[]>>;

/** A model that a call with these settings uses, or may use instead of another. */
export interface ModelNeed {
  readonly component: Component;
  readonly provider: Provider;
  readonly model: string;
  /** The credential that the settings name; null: the account's only one for the provider, else the operator's. */
  readonly credential: string | null;
  readonly isFallback: boolean;
  /** In the settings, such as `llm.fallbacks.0`. */
  readonly path: string;
}

interface Choice {
  readonly provider: Provider;
  readonly model: string;
  readonly credential?: string | undefined;
}

function needsOf(
  component: Component,
  path: string,
  choice: Choice & { readonly fallbacks: readonly Choice[] },
): readonly ModelNeed[] {
  return choicesOf(path, choice).map((chosen) => needOf(component, chosen));
}

interface PlacedChoice<Chosen> {
  readonly choice: Chosen;
  readonly path: string;
  readonly isFallback: boolean;
}

function choicesOf<Chosen>(
  path: string,
  choice: Chosen & { readonly fallbacks: readonly Chosen[] },
): readonly PlacedChoice<Chosen>[] {
  return [
    { choice, path, isFallback: false },
    ...choice.fallbacks.map((fallback, index) => ({
      choice: fallback,
      path: `${path}.fallbacks.${index}`,
      isFallback: true,
    })),
  ];
}

function needOf(component: Component, { choice, path, isFallback }: PlacedChoice<Choice>): ModelNeed {
  const { provider, model, credential = null } = choice;
  return { component, provider, model, credential, isFallback, path };
}

/**
 * Speech to speech, and what works for it over the same connection, billed apart: the model that writes down what the callee
 * says, and the one that GPT-Live delegates to. The transcriptions of xAI, Google and GPT-Live are a part of the conversation,
 * and of its price.
 */
function realtimeNeeds({ model }: RealtimeSettings): readonly ModelNeed[] {
  const chosen = choicesOf<RealtimeModel>('model', model);
  const others = chosen.flatMap(({ choice, path, isFallback }) => {
    if (choice.provider === 'openai_live') {
      const { provider, credential, delegation } = choice;
      const delegate = { provider, credential, model: delegation.model };
      return [needOf('llm', { choice: delegate, path: `${path}.delegation`, isFallback })];
    }
    if (choice.transcription === null || choice.provider === 'xai' || choice.provider === 'google') return [];
    const { provider, credential } = choice;
    const transcription = { provider, credential, model: choice.transcription.model };
    return [needOf('stt', { choice: transcription, path: `${path}.transcription`, isFallback })];
  });
  return [...chosen.map((one) => needOf('realtime', one)), ...others];
}

/** The models of an agent, those that are used first before their fallbacks. Analysis after the call is not among them. */
export function modelNeeds(settings: ConductedSettings): readonly ModelNeed[] {
  if (settings.driver === 'realtime') return realtimeNeeds(settings);
  return [
    ...needsOf('stt', 'stt', settings.stt),
    ...needsOf('llm', 'llm', settings.llm),
    ...needsOf('tts', 'tts', settings.tts),
  ];
}
