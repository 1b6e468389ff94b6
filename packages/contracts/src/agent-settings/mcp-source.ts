import { z } from 'zod';
import { storableText } from '../text.ts';
import type { TemplateText } from './template-text.ts';
import { parametersSchema, requestParts, speakSchema } from './tool-parts.ts';

/** Bounds of what MCP servers list for one agent. */
export const MCP_LIMITS = {
  sources: 4,
  toolsOfSource: 64,
  /** Of all sources of an agent: the models read it with every answer. */
  listedBytes: 128 * 1024,
  descriptionLength: 4_000,
} as const;

/** The protocol allows up to 128 characters. */
const nameAtServer = storableText.min(1, 'must not be empty').max(128);

const listedTool = z.strictObject({
  /** What the model calls it by: every provider accepts this form. */
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
  server_name: nameAtServer,
  description: storableText.max(MCP_LIMITS.descriptionLength),
  parameters: parametersSchema,
  /** The server says that a repetition does no harm. */
  idempotent: z.boolean(),
});
/** A tool of an MCP server, as its agent's version has it. */
export type ListedTool = z.output<typeof listedTool>;

/** Several tools, which a server of the Model Context Protocol lists over streamable HTTP when the agent is saved. */
export function mcpSourceSchema(text: (maxLength: number) => TemplateText) {
  return z.strictObject({
    type: z.literal('mcp'),
    /** Of the source. A tool whose name is taken has it as a prefix. */
    name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'must begin with a-z and have at most 32 of a-z, 0-9 and _'),
    ...requestParts,
    /** By their names at the server. Without it, the model may call every tool. */
    allowed_tools: z
      .array(nameAtServer)
      .min(1, 'must name at least one tool')
      .max(MCP_LIMITS.toolsOfSource)
      .refine((names) => new Set(names).size === names.length, 'must name each tool once')
      .optional(),
    speak: speakSchema(text),
    /** Set by the service when the agent is saved. What a request has here is ignored. */
    listed: z
      .strictObject({
        /** Revision of the protocol that the server speaks. */
        protocol_version: z.string().max(32),
        tools: z.array(listedTool).max(MCP_LIMITS.toolsOfSource),
      })
      .optional(),
  });
}

export type McpSource = z.output<ReturnType<typeof mcpSourceSchema>>;
