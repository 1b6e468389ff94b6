import {
  agentSettingsSchema,
  invalidParams,
  settingsProblems,
  type AgentSettings,
  type InvalidParam,
} from '@outdial/contracts';
import { CliError } from '../cli-error.ts';
import { findJsonSyntaxError } from './json-syntax-error.ts';

/** @throws CliError that names the line where the JSON is broken, or every invalid field. */
export function parseAgentSettings(text: string, name: string): AgentSettings {
  const json = text.replace(/^\uFEFF/, '');
  const fault = findJsonSyntaxError(json);
  if (fault) throw new CliError(`${name}, line ${fault.line}, column ${fault.column}: ${fault.message}.`);
  const value: unknown = JSON.parse(json);
  const result = agentSettingsSchema.safeParse(value);
  const problems = result.success ? settingsProblems(result.data) : invalidParams(result.error, value);
  if (result.success && problems.length === 0) return result.data;
  throw new CliError(`The agent's settings in ${name} cannot be used:\n${problems.map(lineOf).join('\n')}`);
}

function lineOf({ param, message }: InvalidParam): string {
  return `  ${param === 'body' ? 'the settings' : param}: ${message}`;
}
