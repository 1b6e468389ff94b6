import { SimpleGrid, Stack, Title } from '@mantine/core';
import type {
  Component,
  LlmChoice,
  NOISE_REDUCTIONS,
  Provider,
  RealtimeModel,
  SttChoice,
  TtsChoice,
} from '@outdial/contracts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';
import type { ConductedDraft } from '../draft/conducted-draft.ts';
import { hasNoiseReduction } from '../draft/model-draft.ts';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { useConductedFormContext } from '../form-context.ts';
import { CredentialField } from './credential-field.tsx';
import { ChoiceField, JsonField, LineField } from './inputs.tsx';
import { ModelField } from './model-field.tsx';

type Words<Name extends Provider> = Readonly<Record<Name, string>>;

const { openai, openai_live, deepgram, elevenlabs, cartesia, anthropic, google, azure, xai, openai_compatible, local } =
  PROVIDER_WORDS;
const REALTIME_PROVIDERS: Words<RealtimeModel['provider']> = { openai, openai_live, azure, xai, google };
const STT_PROVIDERS: Words<SttChoice['provider']> = { deepgram, local };
const LLM_PROVIDERS: Words<LlmChoice['provider']> = { openai, anthropic, google, openai_compatible, local };
const TTS_PROVIDERS: Words<TtsChoice['provider']> = { elevenlabs, cartesia, deepgram, local };

const NOISE_REDUCTION_WORDS: Readonly<Record<'' | (typeof NOISE_REDUCTIONS)[number], string>> = {
  '': 'None',
  near_field: 'Near: a phone at the ear, a headset',
  far_field: 'Far: a speakerphone, a room',
};

type ModelPath = 'model' | 'stt' | 'llm' | 'tts' | 'analysis.llm';

const COMPONENT_AT = {
  model: 'realtime',
  stt: 'stt',
  llm: 'llm',
  tts: 'tts',
  'analysis.llm': 'llm',
} as const satisfies Readonly<Record<ModelPath, Component>>;

const modelAt = (draft: ConductedDraft, path: ModelPath) =>
  path === 'analysis.llm' ? draft.analysis.llm : draft[path];

interface ModelFieldsProps {
  readonly path: ModelPath;
  readonly providers: Readonly<Record<string, string>>;
  /** Undefined: this kind of model has none. */
  readonly voiceHint?: string;
  readonly modelHint: string;
  readonly moreHint: string;
}

function ModelFields({ path, providers, modelHint, voiceHint, moreHint }: ModelFieldsProps) {
  const model = modelAt(useConductedFormContext().values, path);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ChoiceField path={`${path}.provider`} label="Provider" description="Whose model it is." choices={providers} />
        <ModelField path={path} component={COMPONENT_AT[path]} provider={model.provider} description={modelHint} />
        {voiceHint !== undefined && <LineField path={`${path}.voice`} label="Voice" description={voiceHint} />}
        <CredentialField path={path} model={model} />
        {path === 'model' && hasNoiseReduction(model) && (
          <ChoiceField
            path={`${path}.noise_reduction`}
            label="Noise reduction"
            description="Of the callee’s sound, before turns are found in it."
            choices={NOISE_REDUCTION_WORDS}
          />
        )}
      </SimpleGrid>
      <JsonField path={`${path}.more`} label="More settings (JSON)" description={moreHint} />
    </Stack>
  );
}

const LLM_HINT = 'As the provider names it, such as gpt-5-mini.';

/** The fields of the analysis’s model, in its own group. */
export function AnalysisModelFields() {
  return (
    <ModelFields
      path="analysis.llm"
      providers={LLM_PROVIDERS}
      modelHint={LLM_HINT}
      moreHint="temperature, max_output_tokens."
    />
  );
}

export function ModelsFields() {
  const { driver } = useConductedFormContext().values;
  if (driver === 'realtime') {
    return (
      <FieldGroup title="Model" description="A speech-to-speech model hears the callee and answers.">
        <ModelFields
          path="model"
          providers={REALTIME_PROVIDERS}
          modelHint="As the provider names it, such as gpt-realtime-2.1, gpt-live-1.1 or gemini-3.8-live. With Azure OpenAI: the deployment."
          voiceHint="As the provider names it. Also called: voice ID."
          moreHint="turn_detection (VAD), transcription (required for Azure OpenAI), delegation (of GPT-Live), reasoning_effort, max_output_tokens, fallbacks."
        />
      </FieldGroup>
    );
  }
  return (
    <FieldGroup title="Models" description="What the callee says becomes text, an answer, and speech.">
      <Part title="Speech to text">
        <ModelFields
          path="stt"
          providers={STT_PROVIDERS}
          modelHint="As the provider names it, such as flux-general-en."
          moreHint="keywords, options (endpointing_ms), fallbacks. Also called: transcriber."
        />
      </Part>
      <Part title="Language model">
        <ModelFields
          path="llm"
          providers={LLM_PROVIDERS}
          modelHint={LLM_HINT}
          moreHint="temperature, max_output_tokens, fallbacks."
        />
      </Part>
      <Part title="Text to speech">
        <ModelFields
          path="tts"
          providers={TTS_PROVIDERS}
          modelHint="As the provider names it. Empty: our default."
          voiceHint="As the provider names it. Also called: voice ID."
          moreHint="speed, options (of a local server: format, sample_rate), fallbacks."
        />
      </Part>
    </FieldGroup>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Stack gap="sm" role="group" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
