import { randomId } from '@mantine/hooks';
import type { McpSource, ToolSettings } from '@outdial/contracts';
import { z } from 'zod';
import { isBlank, jsonText, numberOf, numeric, optional, parseJson } from './draft-parts.ts';

export const TOOL_TYPES = [
  'end_call',
  'press_digits',
  'leave_voicemail',
  'transfer_call',
  'http',
  'mcp',
] as const satisfies readonly ToolSettings['type'][];
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const headerSchema = z.object({ id: z.string(), name: z.string(), value: z.string() });

const destinationSchema = z.object({
  id: z.string(),
  name: z.string(),
  to_number: z.string(),
  description: z.string(),
  message: z.string(),
  introduction: z.string().default(''),
});
export type DestinationDraft = Readonly<z.output<typeof destinationSchema>>;

/** A tool of any type. `transfer_call` uses `destinations`, `http` the fields after it, and `mcp` some of those. */
export const toolDraftSchema = z.object({
  id: z.string(),
  type: z.enum(TOOL_TYPES),
  name: z.string(),
  description: z.string(),
  /** Of a transfer. */
  mode: z.enum(['blind', 'warm']).default('blind'),
  /** Of a warm transfer; empty: the default. */
  ring_timeout_seconds: numeric.default(''),
  destinations: z.array(destinationSchema),
  method: z.enum(HTTP_METHODS),
  url: z.string(),
  headers: z.array(headerSchema),
  /** JSON Schema. */
  parameters: z.string(),
  send: z.enum(['body', 'query']),
  timeout_ms: numeric,
  idempotent: z.boolean(),
  speak: z.object({ while_running: z.string(), after: z.enum(['model', 'nothing']) }),
  /** By their names at the MCP server. None: all. */
  allowed_tools: z.array(z.string()).default([]),
  /** What the MCP server listed when the agent was saved: shown, and never sent. */
  listed: z.array(z.object({ name: z.string(), server_name: z.string(), description: z.string() })).default([]),
});
export type ToolDraft = Readonly<z.output<typeof toolDraftSchema>>;

const DESCRIPTIONS: Readonly<Record<ToolDraft['type'], string>> = {
  end_call: 'Ends the call once everything is said.',
  press_digits: 'Presses keys on the phone, to move through a menu.',
  leave_voicemail: 'Leaves the voicemail message once it is clear that a machine answered.',
  transfer_call: 'Transfers the callee to a person. Say first that you do so.',
  http: '',
  mcp: '',
};

export function newHeader() {
  return { id: randomId('header'), name: '', value: '' };
}

export function newDestination(): DestinationDraft {
  return { id: randomId('destination'), name: '', to_number: '', description: '', message: '', introduction: '' };
}

export function newTool(type: ToolDraft['type']): ToolDraft {
  return {
    id: randomId('tool'),
    type,
    name: type === 'http' || type === 'mcp' ? '' : type,
    description: DESCRIPTIONS[type],
    mode: 'blind',
    ring_timeout_seconds: '',
    destinations: type === 'transfer_call' ? [newDestination()] : [],
    method: 'POST',
    url: '',
    headers: [],
    parameters: jsonText({ type: 'object', properties: {} }),
    send: 'body',
    timeout_ms: 10_000,
    idempotent: false,
    speak: { while_running: '', after: 'model' },
    allowed_tools: [],
    listed: [],
  };
}

export function toolDraftOf(tool: ToolSettings): ToolDraft {
  if (tool.type === 'mcp') return mcpDraftOf(tool);
  const base = { ...newTool(tool.type), name: tool.name, description: tool.description };
  if (tool.type === 'transfer_call') {
    const destinations = tool.destinations.map(({ message = '', introduction = '', ...destination }) => ({
      ...newDestination(),
      ...destination,
      message,
      introduction,
    }));
    return { ...base, mode: tool.mode, ring_timeout_seconds: tool.ring_timeout_seconds ?? '', destinations };
  }
  if (tool.type !== 'http') return base;
  const { headers, parameters, speak, method, url, send, timeout_ms, idempotent } = tool;
  return {
    ...base,
    method,
    url,
    headers: headerDrafts(headers),
    parameters: jsonText(parameters),
    send,
    timeout_ms,
    idempotent,
    speak: { while_running: speak.while_running ?? '', after: speak.after },
  };
}

function mcpDraftOf({ name, url, headers, timeout_ms, speak, allowed_tools, listed }: McpSource): ToolDraft {
  return {
    ...newTool('mcp'),
    name,
    url,
    headers: headerDrafts(headers),
    timeout_ms,
    speak: { while_running: speak.while_running ?? '', after: speak.after },
    allowed_tools: allowed_tools ?? [],
    listed: (listed?.tools ?? []).map((tool) => {
      return { name: tool.name, server_name: tool.server_name, description: tool.description };
    }),
  };
}

function headerDrafts(headers: Readonly<Record<string, string>>): ToolDraft['headers'] {
  return Object.entries(headers).map(([name, value]) => ({ ...newHeader(), name, value }));
}

/** The inverse, without validation. */
export function toolSettingsOf(tool: ToolDraft): object {
  const { type, name, description } = tool;
  if (type === 'transfer_call') {
    const destinations = tool.destinations.map(({ id: _id, message, introduction, ...destination }) => ({
      ...destination,
      ...optional('message', message),
      ...optional('introduction', introduction),
    }));
    const ring = tool.ring_timeout_seconds === '' ? {} : { ring_timeout_seconds: numberOf(tool.ring_timeout_seconds) };
    return { type, name, description, mode: tool.mode, ...ring, destinations };
  }
  const request = {
    url: tool.url,
    headers: Object.fromEntries(tool.headers.map((header) => [header.name, header.value])),
    timeout_ms: numberOf(tool.timeout_ms),
    speak: { ...optional('while_running', tool.speak.while_running), after: tool.speak.after },
  };
  if (type === 'mcp') {
    const allowed = tool.allowed_tools.length === 0 ? {} : { allowed_tools: tool.allowed_tools };
    return { type, name, ...request, ...allowed };
  }
  if (type !== 'http') return { type, name, description };
  const { method, send, idempotent } = tool;
  const parameters = parseJson(tool.parameters);
  return {
    type,
    name,
    description,
    method,
    ...request,
    parameters: parameters.ok ? parameters.value : {},
    send,
    idempotent,
  };
}

/** The field that shows an error at a path in the tool's settings. */
export function toolPath({ headers }: ToolDraft, path: string): string {
  if (path.startsWith('parameters')) return 'parameters';
  if (path.startsWith('allowed_tools')) return 'allowed_tools';
  const header = /^headers\.(.*)$/.exec(path);
  if (header === null) return path;
  return `headers.${headers.findIndex(({ name }) => name === header[1])}.${isBlank(header[1] ?? '') ? 'name' : 'value'}`;
}

/** A second header of one name would replace the first. By path in the tool. */
export function repeatedHeaders({ headers }: ToolDraft): readonly string[] {
  return headers.flatMap(({ name }, at) =>
    headers.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < at ? [`headers.${at}.name`] : [],
  );
}
