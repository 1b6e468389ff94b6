import {
  cascadeSettingsSchema,
  realtimeSettingsSchema,
  requiredVariables,
  type ConductedSettings,
} from '@outdial/contracts';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { conductedInputOf, type ConductedDraft, type ConductedDriver } from './conducted-draft.ts';
import { parseJson } from './draft-parts.ts';
import { modelPath } from './model-draft.ts';
import { repeatedHeaders, toolPath } from './tool-draft.ts';

function parse(draft: ConductedDraft) {
  const schema = draft.driver === 'realtime' ? realtimeSettingsSchema : cascadeSettingsSchema;
  return schema.safeParse(conductedInputOf(draft));
}

/** @throws ZodError for a draft with errors */
export function conductedSettingsOf(draft: ConductedDraft): ConductedSettings {
  const { data, error } = parse(draft);
  if (data === undefined) throw error;
  return data;
}

/** The draft's errors by form path. */
export function conductedErrors(draft: ConductedDraft): FieldErrors {
  const errors = { ...jsonErrors(draft), ...headerErrors(draft) };
  for (const issue of parse(draft).error?.issues ?? []) {
    errors[conductedPath(draft, issue.path.join('.'))] ??= wordsOf(issue);
  }
  return errors;
}

const COMPONENTS: Readonly<Record<ConductedDriver, readonly ('model' | 'stt' | 'llm' | 'tts')[]>> = {
  realtime: ['model'],
  cascade: ['stt', 'llm', 'tts'],
};

/** Texts that must be JSON. The contract's schema would name a field that the form does not show. */
function jsonErrors(draft: ConductedDraft): FieldErrors {
  const { analysis, tools } = draft;
  const texts: readonly (readonly [string, string])[] = [
    ...COMPONENTS[draft.driver].map((component) => [`${component}.more`, draft[component].more] as const),
    ...tools.flatMap((tool, at) =>
      tool.type === 'http' ? [[`tools.${at}.parameters`, tool.parameters] as const] : [],
    ),
    ...(analysis.enabled
      ? ([
          ['analysis.data', analysis.data],
          ['analysis.llm.more', analysis.llm.more],
        ] as const)
      : []),
  ];
  return Object.fromEntries(
    texts.flatMap(([path, text]) => (parseJson(text).ok ? [] : [[path, 'Must be a JSON object']])),
  );
}

function headerErrors({ tools }: ConductedDraft): FieldErrors {
  return Object.fromEntries(
    tools.flatMap((tool, at) =>
      repeatedHeaders(tool).map((path) => [`tools.${at}.${path}`, 'This header is already used']),
    ),
  );
}

/** Converts a path of the settings, as the contract and the service report it, to the form's path. */
export function conductedPath(draft: ConductedDraft, path: string): string {
  const inSettings = path.replace(/^settings\./, '');
  const model = /^(model|stt|llm|tts|analysis\.llm)(?:\.(.*))?$/.exec(inSettings);
  if (model) return modelPath(model[1] ?? '', model[2] ?? '');
  const inTool = /^tools\.(\d+)\.(.*)$/.exec(inSettings);
  const tool = inTool && draft.tools[Number(inTool[1])];
  if (inTool && tool) return `tools.${inTool[1]}.${toolPath(tool, inTool[2] ?? '')}`;
  if (inSettings.startsWith('analysis.data.')) return 'analysis.data';
  // An analysis that asks for nothing: the switch shows it.
  if (inSettings === 'analysis') return 'analysis.enabled';
  return inSettings.replace(/(phrases)\.\d+$/, '$1');
}

/** What decides the variables of any settings are their texts alone. */
const CARRIER = realtimeSettingsSchema.parse({
  driver: 'realtime',
  name: 'Carrier',
  instructions: 'None.',
  model: { provider: 'openai', model: 'none' },
});

/** The variables that every call with this agent must provide, as the draft stands. */
export function conductedVariables(draft: ConductedDraft): readonly string[] {
  const { analysis } = draft;
  const texts = [
    draft.instructions,
    ...draft.knowledge.flatMap(({ title, text }) => [title, text]),
    draft.first_message,
    draft.no_input.prompt,
    draft.voicemail.message,
    draft.screening_reply,
    draft.closing,
    draft.failure_message,
    draft.opt_out.confirmation,
    ...draft.tools.flatMap(({ type, description, speak }) =>
      type === 'http' || type === 'mcp' ? [description, speak.while_running] : [description],
    ),
    ...(analysis.enabled && analysis.summary.enabled ? [analysis.summary.prompt] : []),
    ...(analysis.enabled ? [analysis.success.criteria] : []),
  ];
  return requiredVariables({ ...CARRIER, instructions: texts.join('\n') });
}
