import { z } from 'zod';
import type { InvalidParam } from '../errors.ts';
import { providerProblems } from './provider-problems.ts';
import type { AgentSettings } from './settings.ts';
import { toolRequestProblems } from './tool-request-problems.ts';
import type { ToolSettings, TransferToolSettings } from './tools.ts';
import { transferTargetOf } from './transfer-tool.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What is wrong with settings that match their schema: the requests and JSON Schemas of tools, and what a provider does not
 * have. `param` is a path in the settings. They are checked when they are saved; what is stored is not checked again.
 */
export function settingsProblems(settings: AgentSettings): readonly InvalidParam[] {
  if (settings.driver === 'scripted') return [];
  const ofTools = settings.tools.flatMap((tool, index) => toolProblems(`tools.${index}`, tool));
  return settings.driver === 'cascade' ? [...providerProblems(settings), ...ofTools] : ofTools;
}

function toolProblems(at: string, tool: ToolSettings): readonly InvalidParam[] {
  switch (tool.type) {
    case 'http':
      return [...toolRequestProblems(at, tool), ...parametersProblems(`${at}.parameters`, tool.parameters)];
    case 'mcp':
      return toolRequestProblems(at, tool);
    case 'end_call':
    case 'press_digits':
    case 'leave_voicemail':
      return [];
    case 'transfer_call':
      return warmProblems(at, tool);
    default:
      return tool satisfies never;
  }
}

/** We pay for the second leg of a warm transfer: only a number has a rate. */
function warmProblems(at: string, { mode, destinations }: TransferToolSettings): readonly InvalidParam[] {
  if (mode !== 'warm') return [];
  return destinations.flatMap(({ to_number: to }, index) =>
    transferTargetOf(to)?.kind === 'number'
      ? []
      : [
          {
            param: `${at}.destinations.${index}.to_number`,
            message: 'must be an E.164 number such as +12025550142: a warm transfer calls it at your rate',
          },
        ],
  );
}

/** What is wrong with the JSON Schema of a tool. Each property by itself, so that the error names it, and then the whole. */
export function parametersProblems(param: string, schema: JsonSchema): readonly InvalidParam[] {
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties)) return [{ param: `${param}.properties`, message: 'must be a JSON object' }];
  const problems = Object.entries(properties).flatMap(([name, property]) => {
    const problem = problemOf(property);
    return problem === null ? [] : [{ param: `${param}.properties.${name}`, message: problem }];
  });
  if (problems.length > 0) return problems;
  const isDefined = (name: unknown) => typeof name === 'string' && Object.hasOwn(properties, name);
  if (!Array.isArray(required) || !required.every(isDefined)) {
    return [{ param: `${param}.required`, message: 'must be a list of names from properties' }];
  }
  const problem = problemOf(schema);
  return problem === null ? [] : [{ param, message: problem }];
}

function problemOf(schema: unknown): string | null {
  if (!isObject(schema)) return 'must be a JSON Schema';
  const unsafe = unsafeKeyword(schema);
  if (unsafe !== null) return `must not use ${unsafe}: write the schema without it`;
  try {
    z.fromJSONSchema(schema);
    return null;
  } catch (error) {
    return `is not a JSON Schema that can be used: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

/** References may never end, and a pattern may take forever on a text that a model wrote. */
export const UNSAFE_KEYWORDS = ['$ref', '$dynamicRef', 'pattern', 'patternProperties'] as const;

function unsafeKeyword(schema: unknown): string | null {
  if (Array.isArray(schema)) return firstOf(schema.map(unsafeKeyword));
  if (!isObject(schema)) return null;
  const own = UNSAFE_KEYWORDS.find((keyword) => Object.hasOwn(schema, keyword));
  if (own !== undefined) return own;
  const inner = Object.entries(schema).map(([keyword, value]) => {
    // Values of these are data, not schemas.
    if (keyword === 'enum' || keyword === 'const' || keyword === 'default' || keyword === 'examples') return null;
    // Their keys are names of fields, not keywords.
    return NAMED.has(keyword) && isObject(value) ? unsafeKeyword(Object.values(value)) : unsafeKeyword(value);
  });
  return firstOf(inner);
}

const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

const firstOf = (found: readonly (string | null)[]): string | null => found.find((keyword) => keyword !== null) ?? null;

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
