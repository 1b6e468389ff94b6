import { agentSettingsSchema, invalidParams, settingsProblems, type AgentSettings } from '@outdial/contracts';
import { parseJsonFile, unusable } from './json-file.ts';

/** @throws CliError that names the line where the JSON is broken, or every invalid field. */
export function parseAgentSettings(text: string, name: string): AgentSettings {
  const value = parseJsonFile(text, name);
  const result = agentSettingsSchema.safeParse(value);
  const problems = result.success ? settingsProblems(result.data) : invalidParams(result.error, value);
  if (result.success && problems.length === 0) return result.data;
  throw unusable("The agent's settings", name, problems);
}
