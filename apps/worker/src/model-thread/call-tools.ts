import { fillTemplate, type ConductedSettings, type ToolSettings } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Tool } from '@outdial/minds';

const END_CALL: ToolSettings = {
  type: 'end_call',
  name: 'end_call',
  description:
    'Ends the call. Use it once everything is said, or when the callee wants to end the call. Say goodbye first.',
};

/** The tools of a call by name: the agent's own, and `end_call` unless the settings have or forbid it. */
export function callTools(settings: ConductedSettings): ReadonlyMap<string, ToolSettings> {
  const hasEnd = settings.tools.some(({ type, name }) => type === 'end_call' || name === END_CALL.name);
  const tools = settings.end_call.on_model && !hasEnd ? [...settings.tools, END_CALL] : settings.tools;
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** JSON Schema of a tool's arguments. */
export function parametersOf(tool: ToolSettings): Readonly<Record<string, unknown>> {
  switch (tool.type) {
    case 'end_call':
      return {
        type: 'object',
        properties: { reason: { type: 'string', description: 'Why the call ends, in a few words.' } },
      };
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
    case 'http':
      return tool.parameters;
    default:
      return unreachable(tool);
  }
}

/** The tools as the model sees them. */
export function toolsForModel(
  tools: ReadonlyMap<string, ToolSettings>,
  variables: Readonly<Record<string, string>>,
): readonly Tool[] {
  return [...tools.values()].map((tool) => ({
    name: tool.name,
    description: fillTemplate(tool.description, variables),
    parameters: parametersOf(tool),
  }));
}
