import {
  fillTemplate,
  OPT_OUT_TOOL,
  TRANSFER_LIMITS,
  type ConductedSettings,
  type McpSource,
  type ToolSettings,
  type TransferToolSettings,
} from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { McpTool, Tool } from '@outdial/minds';

const END_CALL: Exclude<ToolSettings, McpSource> = {
  type: 'end_call',
  name: 'end_call',
  description:
    'Ends the call. Use it once everything is said, or when the callee wants to end the call. Say goodbye first.',
};

const OPT_OUT = {
  type: 'opt_out',
  name: OPT_OUT_TOOL,
  description:
    'Puts the callee on the do-not-call list and ends the call. Use it at once when the callee asks not to be called again, to stop calling, or to be removed from a list, or says that this is the wrong number. Do not try to change their mind. The callee hears a confirmation and a goodbye: say neither yourself.',
} as const;

export const OPT_OUT_PARAMETERS: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: { reason: { type: 'string', description: 'What the callee said, in a few words.' } },
};

/** What a model may call: tools of the settings and of their MCP servers, and `opt_out`, which no settings describe. */
export type CallTool = Exclude<ToolSettings, McpSource> | McpTool | typeof OPT_OUT;

/**
 * The tools of a call by name: the agent's own, and `end_call` and `opt_out` unless the settings have a tool of that name
 * or forbid it.
 */
export function callTools({ tools, end_call: end, opt_out: optOut }: ConductedSettings): ReadonlyMap<string, CallTool> {
  const has = ({ type, name }: CallTool) => tools.some((tool) => tool.type === type || tool.name === name);
  const own: CallTool[] = [];
  if (end.on_model && !has(END_CALL)) own.push(END_CALL);
  if (optOut.on_model && !has(OPT_OUT)) own.push(OPT_OUT);
  const given = tools.flatMap((tool): readonly CallTool[] => (tool.type === 'mcp' ? mcpTools(tool) : [tool]));
  return new Map([...given, ...own].map((tool) => [tool.name, tool]));
}

function mcpTools(source: McpSource): readonly McpTool[] {
  const { type, speak, timeout_ms } = source;
  return (source.listed?.tools ?? []).map((listed) => {
    const { name, description, parameters } = listed;
    return { type, name, description, parameters, speak, timeout_ms, source, listed };
  });
}

/** JSON Schema of a tool's arguments. */
export function parametersOf(tool: CallTool): Readonly<Record<string, unknown>> {
  switch (tool.type) {
    case 'end_call':
      return {
        type: 'object',
        properties: { reason: { type: 'string', description: 'Why the call ends, in a few words.' } },
      };
    case 'opt_out':
      return OPT_OUT_PARAMETERS;
    case 'press_digits':
      return {
        type: 'object',
        properties: {
          digits: {
            type: 'string',
            pattern: '^[0-9*#,]{1,32}$',
            description: 'The keys to press: 0-9, * and #. A comma is a pause of half a second.',
          },
        },
        required: ['digits'],
      };
    case 'leave_voicemail':
      return { type: 'object', properties: {} };
    case 'transfer_call':
      return transferParameters(tool);
    case 'http':
    case 'mcp':
      return tool.parameters;
    default:
      return unreachable(tool);
  }
}

/** The tools as the model sees them. */
export function toolsForModel(
  tools: ReadonlyMap<string, CallTool>,
  variables: Readonly<Record<string, string>>,
): readonly Tool[] {
  return [...tools.values()].map((tool) => ({
    name: tool.name,
    // What a server wrote is no template.
    description: tool.type === 'mcp' ? tool.description : fillTemplate(tool.description, variables),
    parameters: tool.type === 'transfer_call' ? transferParameters(tool, variables) : parametersOf(tool),
  }));
}

const SUMMARY = {
  type: 'string',
  maxLength: TRANSFER_LIMITS.summary,
  description:
    'What the person at the destination hears from you before the callee: who waits and what it is about, in one or two spoken sentences.',
} as const;

/** A destination by its name: the model sees no number, and can give none. */
function transferParameters(
  { destinations, mode }: TransferToolSettings,
  variables: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const lines = destinations.map(({ name, description }) => `${name}: ${fillTemplate(description, variables)}`);
  return {
    type: 'object',
    properties: {
      destination: {
        type: 'string',
        enum: destinations.map(({ name }) => name),
        description: `Whom to transfer the callee to.\n${lines.join('\n')}`,
      },
      ...(mode === 'warm' && { summary: SUMMARY }),
    },
    required: ['destination'],
  };
}
