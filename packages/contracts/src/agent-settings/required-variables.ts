import type { AgentSettings, ConductedSettings } from './settings.ts';
import { spokenTexts, type SettingsText } from './scripted.ts';
import { placeholdersOf } from './template-text.ts';
import type { ToolSettings } from './tools.ts';

/** Variables that every call of a conducted agent has by itself. */
export const CALL_VARIABLES = ['callee_number', 'caller_number', 'now', 'call_id'] as const;

/** Every text of a conducted agent that may have placeholders. */
export function conductedTexts(settings: ConductedSettings): readonly SettingsText[] {
  const { knowledge, tools, analysis } = settings;
  const texts: readonly (readonly [string, string | undefined])[] = [
    ['instructions', settings.instructions],
    ...knowledge.flatMap(({ title, text }, index) => [
      [`knowledge.${index}.title`, title] as const,
      [`knowledge.${index}.text`, text] as const,
    ]),
    ['first_message', settings.first_message],
    ['no_input.prompt', settings.no_input.prompt],
    ['voicemail.message', settings.voicemail.message],
    ['screening_reply', settings.screening_reply],
    ['closing', settings.closing],
    ['failure_message', settings.failure_message],
    ['opt_out.confirmation', settings.opt_out.confirmation],
    ...tools.flatMap((tool, index) => [
      // What a server wrote is no template.
      [`tools.${index}.description`, 'description' in tool ? tool.description : undefined] as const,
      [`tools.${index}.speak.while_running`, 'speak' in tool ? tool.speak.while_running : undefined] as const,
      ...destinationTexts(`tools.${index}.destinations`, tool),
    ]),
    ['analysis.summary.prompt', analysis?.summary?.prompt],
    ['analysis.success.criteria', analysis?.success?.criteria],
  ];
  return texts.flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]));
}

function destinationTexts(at: string, tool: ToolSettings): readonly (readonly [string, string | undefined])[] {
  if (tool.type !== 'transfer_call') return [];
  return tool.destinations.flatMap(({ description, message, introduction }, index) => [
    [`${at}.${index}.description`, description] as const,
    [`${at}.${index}.message`, message] as const,
    [`${at}.${index}.introduction`, introduction] as const,
  ]);
}

/** The names of the variables that a call with these settings must provide. */
export function requiredVariables(settings: AgentSettings): readonly string[] {
  const isScripted = settings.driver === 'scripted';
  const texts = isScripted ? spokenTexts(settings) : conductedTexts(settings);
  const names = new Set(texts.flatMap(({ text }) => placeholdersOf(text)));
  if (!isScripted) for (const name of CALL_VARIABLES) names.delete(name);
  return [...names];
}
