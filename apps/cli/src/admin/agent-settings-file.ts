import { agentSettingsSchema, type AgentSettings } from '@outdial/contracts';
import { CliError } from '../cli-error.ts';
import { findJsonSyntaxError } from './json-syntax-error.ts';

/** @throws CliError that names the line where the JSON is broken, or every invalid field. */
export function parseAgentSettings(text: string, name: string): AgentSettings {
  const fault = findJsonSyntaxError(text.replace(/^\uFEFF/, ''));
  if (fault) throw new CliError(`${name}, line ${fault.line}, column ${fault.column}: ${fault.message}.`);
  const result = agentSettingsSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return `  ${path === '' ? 'the settings' : path}: ${issue.message}`;
  });
  throw new CliError(`The agent's settings in ${name} cannot be used:\n${lines.join('\n')}`);
}
