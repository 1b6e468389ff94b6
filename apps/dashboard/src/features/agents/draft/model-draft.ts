import type { AnalysisSettings, CascadeSettings, RealtimeModel, RealtimeSettings } from '@outdial/contracts';
import { z } from 'zod';
import { jsonText, optional, parseJson } from './draft-parts.ts';

/** One model. `more` is the rest of its settings as JSON: options, fallbacks and what is rarely changed. */
export const modelDraftSchema = z.object({
  provider: z.string(),
  model: z.string(),
  /** Empty: the model has none, or its default. */
  voice: z.string(),
  credential: z.string(),
  /** Empty: none. Of the providers in `HAVE_NOISE_REDUCTION` alone. */
  noise_reduction: z.string(),
  more: z.string(),
});
export type ModelDraft = Readonly<z.output<typeof modelDraftSchema>>;

type ModelSettings = RealtimeSettings['model'] | CascadeSettings['stt' | 'llm' | 'tts'] | AnalysisSettings['llm'];

export const NO_MODEL: ModelDraft = {
  provider: 'openai',
  model: '',
  voice: '',
  credential: '',
  noise_reduction: '',
  more: '',
};

/** Realtime models that take the noise out of the callee’s sound. */
const HAVE_NOISE_REDUCTION: ReadonlySet<string> = new Set<RealtimeModel['provider']>(['openai', 'azure']);
export const hasNoiseReduction = ({ provider }: ModelDraft): boolean => HAVE_NOISE_REDUCTION.has(provider);

export function modelDraftOf(settings: ModelSettings): ModelDraft {
  const { provider, model, credential, ...rest } = settings;
  const { voice, noise_reduction: noiseReduction = '', ...more } = { voice: '', noise_reduction: undefined, ...rest };
  return {
    provider,
    model,
    voice,
    credential: credential ?? '',
    noise_reduction: noiseReduction,
    more: jsonText(more),
  };
}

/** The inverse, without validation. The draft’s field wins over the same field in `more`. */
export function modelSettingsOf(draft: ModelDraft): object {
  const { provider, model, voice, credential, more } = draft;
  const rest = parseJson(more);
  return {
    ...(rest.ok ? rest.value : {}),
    provider,
    ...optional('model', model),
    ...optional('voice', voice),
    ...optional('credential', credential),
    ...(hasNoiseReduction(draft) ? optional('noise_reduction', draft.noise_reduction) : {}),
  };
}

const OWN_FIELDS = /^(?:provider|model|voice|credential|noise_reduction)$/;

/** The field that shows an error in a model's settings. */
export function modelPath(component: string, path: string): string {
  return `${component}.${OWN_FIELDS.test(path) ? path : 'more'}`;
}
