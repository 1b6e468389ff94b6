import type { AnalysisSettings, CascadeSettings, RealtimeSettings } from '@outdial/contracts';
import { z } from 'zod';
import { jsonText, optional, parseJson } from './draft-parts.ts';

/** One model. `more` is the rest of its settings as JSON: options, fallbacks and what is rarely changed. */
export const modelDraftSchema = z.object({
  provider: z.string(),
  model: z.string(),
  /** Empty: the model has none, or its default. */
  voice: z.string(),
  credential: z.string(),
  more: z.string(),
});
export type ModelDraft = Readonly<z.output<typeof modelDraftSchema>>;

type ModelSettings = RealtimeSettings['model'] | CascadeSettings['stt' | 'llm' | 'tts'] | AnalysisSettings['llm'];

export const NO_MODEL: ModelDraft = { provider: 'openai', model: '', voice: '', credential: '', more: '' };

export function modelDraftOf(settings: ModelSettings): ModelDraft {
  const { provider, model, credential, ...rest } = settings;
  const { voice, ...more } = { voice: '', ...rest };
  return { provider, model, voice, credential: credential ?? '', more: jsonText(more) };
}

/** The inverse, without validation. The draft’s field wins over the same field in `more`. */
export function modelSettingsOf({ provider, model, voice, credential, more }: ModelDraft): object {
  const rest = parseJson(more);
  return {
    ...(rest.ok ? rest.value : {}),
    provider,
    ...optional('model', model),
    ...optional('voice', voice),
    ...optional('credential', credential),
  };
}

const OWN_FIELDS = /^(?:provider|model|voice|credential)$/;

/** The field that shows an error in a model's settings. */
export function modelPath(component: string, path: string): string {
  return `${component}.${OWN_FIELDS.test(path) ? path : 'more'}`;
}
