import { cascadeSettingsSchema, realtimeSettingsSchema, type ConductedSettings } from '@outdial/contracts';
import { randomId } from '@mantine/hooks';
import { z } from 'zod';
import { analysisDraftOf, analysisDraftSchema, analysisSettingsOf, NO_ANALYSIS } from './analysis-draft.ts';
import { isBlank, numberOf, numeric, optional } from './draft-parts.ts';
import { modelDraftOf, modelDraftSchema, modelSettingsOf, NO_MODEL } from './model-draft.ts';
import { toolDraftOf, toolDraftSchema, toolSettingsOf } from './tool-draft.ts';

const phrases = z.array(z.string());

/** The settings of an agent that models conduct, as the form holds them. A field has its path in the settings. */
export const conductedDraftSchema = z.object({
  driver: z.enum(['realtime', 'cascade']),
  name: z.string(),
  language: z.string(),
  timezone: z.string(),
  instructions: z.string(),
  knowledge: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })),
  first_speaker: z.enum(['agent', 'callee']),
  first_message: z.string(),
  first_message_mode: z.enum(['static', 'generated']),
  interruption: z.object({
    enabled: z.boolean(),
    min_speech_ms: numeric,
    min_words: numeric,
    ignore_phrases: phrases,
    false_interruption_timeout_ms: numeric,
  }),
  endpointing: z.object({ mode: z.enum(['provider', 'silence']), min_delay_ms: numeric, max_delay_ms: numeric }),
  no_input: z.object({ prompt: z.string(), after_ms: numeric, times: numeric }),
  voicemail: z.object({ action: z.enum(['hang_up', 'leave_message']), message: z.string() }),
  screening_reply: z.string(),
  closing: z.string(),
  failure_message: z.string(),
  end_call: z.object({ phrases, on_model: z.boolean() }),
  /** Without a key, words alone opt out. */
  opt_out: z.object({ key: z.string(), confirmation: z.string(), on_model: z.boolean() }),
  max_turns: numeric,
  max_duration_seconds: numeric,
  waiting: z.object({ after_ms: numeric, phrases }),
  tools: z.array(toolDraftSchema),
  analysis: analysisDraftSchema,
  /** Used by `realtime`. */
  model: modelDraftSchema,
  /** These three are used by `cascade`. */
  stt: modelDraftSchema,
  llm: modelDraftSchema,
  tts: modelDraftSchema,
});
export type ConductedDraft = Readonly<z.output<typeof conductedDraftSchema>>;
export type ConductedDriver = ConductedDraft['driver'];

export function newKnowledge() {
  return { id: randomId('knowledge'), title: '', text: '' };
}

const START = { name: 'New agent', instructions: 'Talk.' };
/** Models of the rate deck that comes with the product: a call with a model that has no rate is refused. */
const NEW_MODELS = {
  realtime: { model: { provider: 'openai', model: 'gpt-realtime-2.1' } },
  cascade: {
    llm: { provider: 'openai', model: 'gpt-5-mini' },
    tts: { provider: 'deepgram', voice: 'haley-en' },
  },
} as const;

export function emptyConductedDraft(driver: ConductedDriver): ConductedDraft {
  const settings =
    driver === 'realtime'
      ? realtimeSettingsSchema.parse({ driver, ...START, ...NEW_MODELS.realtime })
      : cascadeSettingsSchema.parse({ driver, ...START, ...NEW_MODELS.cascade });
  return { ...conductedDraftOf(settings), name: '', instructions: '' };
}

/** Converts settings for the form. */
export function conductedDraftOf(settings: ConductedSettings): ConductedDraft {
  const { no_input: noInput, voicemail } = settings;
  return {
    driver: settings.driver,
    name: settings.name,
    language: settings.language,
    timezone: settings.timezone,
    instructions: settings.instructions,
    knowledge: settings.knowledge.map((part) => ({ ...newKnowledge(), ...part })),
    first_speaker: settings.first_speaker,
    first_message: settings.first_message ?? '',
    first_message_mode: settings.first_message_mode,
    interruption: settings.interruption,
    endpointing: settings.endpointing,
    no_input: { ...noInput, prompt: noInput.prompt ?? '' },
    voicemail: { ...voicemail, message: voicemail.message ?? '' },
    screening_reply: settings.screening_reply ?? '',
    closing: settings.closing ?? '',
    failure_message: settings.failure_message,
    end_call: settings.end_call,
    opt_out: { ...settings.opt_out, key: settings.opt_out.key ?? '' },
    max_turns: settings.max_turns ?? '',
    max_duration_seconds: settings.max_duration_seconds ?? '',
    waiting: settings.waiting,
    tools: settings.tools.map(toolDraftOf),
    analysis: settings.analysis === undefined ? NO_ANALYSIS : analysisDraftOf(settings.analysis),
    ...(settings.driver === 'realtime'
      ? { model: modelDraftOf(settings.model), stt: NO_MODEL, llm: NO_MODEL, tts: NO_MODEL }
      : {
          model: NO_MODEL,
          stt: modelDraftOf(settings.stt),
          llm: modelDraftOf(settings.llm),
          tts: modelDraftOf(settings.tts),
        }),
  };
}

/** The inverse, without validation: the contract's schema decides what the service will accept. */
export function conductedInputOf(draft: ConductedDraft): object {
  const { interruption, endpointing, no_input: noInput, voicemail, waiting, opt_out: optOut } = draft;
  return {
    driver: draft.driver,
    name: draft.name,
    language: draft.language,
    timezone: draft.timezone,
    instructions: draft.instructions,
    knowledge: draft.knowledge.map(({ title, text }) => ({ title, text })),
    first_speaker: draft.first_speaker,
    ...optional('first_message', draft.first_message),
    first_message_mode: draft.first_message_mode,
    interruption: {
      ...interruption,
      min_speech_ms: numberOf(interruption.min_speech_ms),
      min_words: numberOf(interruption.min_words),
      false_interruption_timeout_ms: numberOf(interruption.false_interruption_timeout_ms),
    },
    endpointing: {
      mode: endpointing.mode,
      min_delay_ms: numberOf(endpointing.min_delay_ms),
      max_delay_ms: numberOf(endpointing.max_delay_ms),
    },
    no_input: {
      ...optional('prompt', noInput.prompt),
      after_ms: numberOf(noInput.after_ms),
      times: numberOf(noInput.times),
    },
    voicemail: { action: voicemail.action, ...optional('message', voicemail.message) },
    ...optional('screening_reply', draft.screening_reply),
    ...optional('closing', draft.closing),
    failure_message: draft.failure_message,
    end_call: draft.end_call,
    opt_out: {
      ...optional('key', optOut.key),
      confirmation: optOut.confirmation,
      on_model: optOut.on_model,
    },
    ...optionalNumber('max_turns', draft.max_turns),
    ...optionalNumber('max_duration_seconds', draft.max_duration_seconds),
    waiting: { after_ms: numberOf(waiting.after_ms), phrases: waiting.phrases },
    tools: draft.tools.map(toolSettingsOf),
    ...(draft.analysis.enabled ? { analysis: analysisSettingsOf(draft.analysis) } : {}),
    ...modelsOf(draft),
  };
}

function modelsOf({ driver, model, stt, llm, tts }: ConductedDraft): object {
  if (driver === 'realtime') return { model: modelSettingsOf(model) };
  return { stt: modelSettingsOf(stt), llm: modelSettingsOf(llm), tts: modelSettingsOf(tts) };
}

function optionalNumber(key: string, value: number | string): object {
  return typeof value === 'string' && isBlank(value) ? {} : { [key]: numberOf(value) };
}
