import type { Tool } from '@modelcontextprotocol/client';
import {
  MCP_LIMITS,
  parametersProblems,
  parametersSchema,
  type InvalidParam,
  type ListedTool,
  type McpSource,
} from '@outdial/contracts';
import type { ModelNames } from './model-names.ts';
import { withoutSecrets } from './secrets.ts';
import { usableSchema } from './usable-schema.ts';

export interface Listing {
  /** Of the source, in the settings. */
  readonly path: string;
  readonly source: McpSource;
  readonly tools: readonly Tool[];
  /** Sent to the server, which may have written them into what it lists. */
  readonly secrets: readonly string[];
  /** Of what the models may still read. */
  readonly maxBytes: number;
}

export interface Listed {
  readonly tools: readonly ListedTool[];
  /** Of the tools, as JSON. */
  readonly bytes: number;
  readonly problems: readonly InvalidParam[];
}

const UNSTORABLE = /\0|\p{Surrogate}/gu;
const MAX_NAME = 128;
const MAX_NAMED = 10;

/** The tools that the model may call, as the agent's version keeps them, or what is wrong with each. */
export function listedTools(listing: Listing, names: ModelNames): Listed {
  const { path, source, secrets, maxBytes } = listing;
  const { chosen, problems } = chosenTools(listing);
  const tools: ListedTool[] = [];
  let bytes = 0;
  let unusable = 0;
  for (const { tool, param } of chosen) {
    const name = names.take(source.name, tool.name);
    const read = name === null ? 'needs another name: this one is taken or too long' : listedTool(tool, name, secrets);
    if (typeof read === 'string') {
      unusable += 1;
      problems.push({ param, message: `must leave out the tool ${shown(tool.name, secrets)}, which ${read}` });
    } else {
      tools.push(read);
      bytes += Buffer.byteLength(JSON.stringify(read));
    }
    // A schema takes long to check: no more are checked than can be used.
    if (bytes > maxBytes) {
      problems.push({ param: `${path}.allowed_tools`, message: TOO_LARGE });
      break;
    }
    if (unusable === MAX_NAMED) break;
  }
  if (tools.length === 0 && problems.length === 0) {
    problems.push({ param: `${path}.url`, message: 'must be the address of a server that has tools' });
  }
  return { tools, bytes, problems };
}

const TOO_LARGE = `must name fewer tools: those of all MCP servers may have ${MCP_LIMITS.listedBytes} bytes together`;

interface Chosen {
  readonly tool: Tool;
  /** What the customer changes to leave the tool out. */
  readonly param: string;
}

function chosenTools({ path, source, tools, secrets }: Listing): {
  chosen: readonly Chosen[];
  problems: InvalidParam[];
} {
  const param = `${path}.allowed_tools`;
  const { allowed_tools: allowed } = source;
  if (allowed === undefined) {
    if (tools.length <= MCP_LIMITS.toolsOfSource)
      return { chosen: tools.map((tool) => ({ tool, param })), problems: [] };
    const message = `must name at most ${MCP_LIMITS.toolsOfSource} tools: the server has ${tools.length}`;
    return { chosen: [], problems: [{ param, message }] };
  }
  const chosen: Chosen[] = [];
  const problems: InvalidParam[] = [];
  for (const [at, name] of allowed.entries()) {
    const tool = tools.find((one) => one.name === name);
    if (tool !== undefined) chosen.push({ tool, param: `${param}.${at}` });
    else
      problems.push({
        param: `${param}.${at}`,
        message: `must be a tool of the server: it has ${someOf(tools, secrets)}`,
      });
  }
  return { chosen, problems };
}

/** A text says what is wrong. */
function listedTool(tool: Tool, name: string, secrets: readonly string[]): ListedTool | string {
  const clean = (text: string) => withoutSecrets(text.replace(UNSTORABLE, ''), secrets);
  if (tool.name.length > MAX_NAME || clean(tool.name) !== tool.name) return 'has a name that cannot be used';
  const usable = usableSchema(tool.inputSchema, clean);
  if (!usable.ok) return `has an input schema that ${usable.problem}`;
  const sized = parametersSchema.safeParse(usable.schema);
  if (!sized.success) return `has an input schema that ${sized.error.issues[0]?.message ?? 'cannot be used'}`;
  const [problem] = parametersProblems('input schema', sized.data);
  if (problem !== undefined) return `has an ${problem.param} that ${problem.message}`;
  const { readOnlyHint: reads, idempotentHint: repeats } = tool.annotations ?? {};
  return {
    name,
    server_name: tool.name,
    description: cut(clean(tool.description ?? tool.title ?? tool.annotations?.title ?? '')),
    parameters: sized.data,
    idempotent: reads === true || repeats === true,
  };
}

function cut(text: string): string {
  const { descriptionLength: max } = MCP_LIMITS;
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(UNSTORABLE, '')}…`;
}

function someOf(tools: readonly Tool[], secrets: readonly string[]): string {
  const some = tools.slice(0, MAX_NAMED).map(({ name }) => shown(name, secrets));
  const more = tools.length > MAX_NAMED ? [`${tools.length - MAX_NAMED} more`] : [];
  return [...some, ...more].join(', ') || 'none';
}

function shown(name: string, secrets: readonly string[]): string {
  return withoutSecrets(name, secrets).slice(0, MAX_NAME).replace(UNSTORABLE, '');
}
