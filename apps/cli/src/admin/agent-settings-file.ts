import {
  agentSettingsSchema,
  invalidParams,
  settingsProblems,
  type AgentSettings,
  type InvalidParam,
} from '@outdial/contracts';
import { parseJsonFile, unusable } from './json-file.ts';

/** @throws CliError that names the line where the JSON is broken, or every invalid field. */
export function parseAgentSettings(text: string, name: string): AgentSettings {
  const value = parseJsonFile(text, name);
  const result = agentSettingsSchema.safeParse(value);
  const problems = result.success
    ? [...settingsProblems(result.data), ...mcpProblems(result.data)]
    : invalidParams(result.error, value);
  if (result.success && problems.length === 0) return result.data;
  throw unusable("The agent's settings", name, problems);
}

/** Only the API lists tools, with the account's secrets. */
function mcpProblems(settings: AgentSettings): readonly InvalidParam[] {
  if (settings.driver === 'scripted') return [];
  const message =
    'must not be mcp: save this agent in the dashboard or over the API, which ask the server for its tools';
  return settings.tools.flatMap(({ type }, at) => (type === 'mcp' ? [{ param: `tools.${at}.type`, message }] : []));
}
