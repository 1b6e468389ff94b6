import type { Provider } from '../providers.ts';
import type { ConductedSettings } from './settings.ts';

/** A part of an agent that one model does and one provider bills. */
export const COMPONENTS = ['realtime', 'stt', 'llm', 'tts'] as const;
export type Component = (typeof COMPONENTS)[number];

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
  const need = ({ provider, model, credential }: Choice, at: string, isFallback: boolean): ModelNeed => ({
    component,
    provider,
    model,
    credential: credential ?? null,
    isFallback,
    path: at,
  });
  return [
    need(choice, path, false),
    ...choice.fallbacks.map((fallback, index) => need(fallback, `${path}.fallbacks.${index}`, true)),
  ];
}

/** The models of an agent, those that are used first before their fallbacks. Analysis after the call is not among them. */
export function modelNeeds(settings: ConductedSettings): readonly ModelNeed[] {
  if (settings.driver === 'realtime') return needsOf('realtime', 'model', settings.model);
  return [
    ...needsOf('stt', 'stt', settings.stt),
    ...needsOf('llm', 'llm', settings.llm),
    ...needsOf('tts', 'tts', settings.tts),
  ];
}
