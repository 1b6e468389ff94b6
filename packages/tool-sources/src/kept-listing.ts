import { isDeepStrictEqual } from 'node:util';
import type { ConductedSettings, ListedTool, McpSource } from '@outdial/contracts';
import type { McpErrorKind } from './mcp-error.ts';
import type { ModelNames } from './model-names.ts';

/** The server cannot be asked now, and may answer later. What it refuses, or answers wrongly, is for the customer to change. */
const DOWN: ReadonlySet<McpErrorKind> = new Set(['unsent', 'away', 'timed_out', 'connection_lost']);

export interface KeptListing {
  readonly protocolVersion: string;
  readonly tools: readonly ListedTool[];
  /** Of the tools, as JSON. */
  readonly bytes: number;
}

/**
 * What the server of an unchanged source listed when the agent was saved before: it stands for a server that is down. Null:
 * nothing, or the name of one of the tools is taken now.
 */
export function keptListing(
  source: McpSource,
  kind: McpErrorKind,
  { previous, names }: { readonly previous: ConductedSettings['tools']; readonly names: ModelNames },
): KeptListing | null {
  if (!DOWN.has(kind)) return null;
  const before = previous.find((tool) => tool.type === 'mcp' && isSame(tool, source));
  if (before?.type !== 'mcp' || before.listed === undefined) return null;
  const tools: ListedTool[] = [];
  for (const tool of before.listed.tools) {
    const name = names.take(source.name, tool.server_name);
    if (name === null) return null;
    tools.push({ ...tool, name });
  }
  const bytes = tools.reduce((sum, tool) => sum + Buffer.byteLength(JSON.stringify(tool)), 0);
  return { protocolVersion: before.listed.protocol_version, tools, bytes };
}

/** What decides which tools there are. What is said while one runs, and for how long it may, is not of the list. */
function isSame(one: McpSource, other: McpSource): boolean {
  return isDeepStrictEqual(decidesOf(one), decidesOf(other));
}

const decidesOf = ({ name, url, headers, allowed_tools: allowed }: McpSource) => ({ name, url, headers, allowed });
