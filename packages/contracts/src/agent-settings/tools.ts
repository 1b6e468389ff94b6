import { z } from 'zod';
import { SECRET_REFERENCE } from '../account-secrets.ts';
import { mcpSourceSchema } from './mcp-source.ts';
import type { TemplateText } from './template-text.ts';
import { parametersSchema, requestParts, speakSchema, toolName } from './tool-parts.ts';
import { TRANSFER_LIMITS, transferDestinations } from './transfer-tool.ts';

/** A secret that a tool sends. */
export interface SecretUse {
  readonly name: string;
  /** Of the header, in the settings. */
  readonly path: string;
}

export function secretUsesOf({ tools }: { readonly tools: readonly ToolSettings[] }): readonly SecretUse[] {
  return tools.flatMap((tool, index) => {
    if (tool.type !== 'http' && tool.type !== 'mcp') return [];
    return Object.entries(tool.headers).flatMap(([header, value]) =>
      [...value.matchAll(SECRET_REFERENCE)].map(([, name = '']) => ({
        name,
        path: `tools.${index}.headers.${header}`,
      })),
    );
  });
}

/** The names of the secrets that the tools send. */
export function secretNamesOf(settings: { readonly tools: readonly ToolSettings[] }): readonly string[] {
  return [...new Set(secretUsesOf(settings).map(({ name }) => name))];
}

/** What a model may do during a call. */
export function toolSchema(text: (maxLength: number) => TemplateText) {
  const base = { name: toolName, description: text(1_000) };
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('end_call'), ...base }),
    z.strictObject({ type: z.literal('press_digits'), ...base }),
    z.strictObject({ type: z.literal('leave_voicemail'), ...base }),
    z.strictObject({
      type: z.literal('transfer_call'),
      ...base,
      /**
       * `blind`: the callee is handed over, and our call ends. `warm`: we call the destination while the callee waits, the agent
       * introduces the callee, and leaves.
       */
      mode: z.enum(['blind', 'warm']).default('blind'),
      /** Of a warm transfer: how long the destination rings. */
      ring_timeout_seconds: z.int().min(5).max(TRANSFER_LIMITS.maxRingSeconds).optional(),
      destinations: transferDestinations(text),
    }),
    z.strictObject({
      type: z.literal('http'),
      ...base,
      ...requestParts,
      speak: speakSchema(text),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
      parameters: parametersSchema.default({ type: 'object', properties: {} }),
      /** Where the arguments go. */
      send: z.enum(['body', 'query']).default('body'),
      /** Repeating the request does no harm. */
      idempotent: z.boolean().default(false),
    }),
    mcpSourceSchema(text),
  ]);
}

export type ToolSettings = z.output<ReturnType<typeof toolSchema>>;

/** The tools that act on the call itself: all but those of customers' servers. */
type OwnToolType = Exclude<ToolSettings['type'], 'http' | 'mcp'>;
const OWN_TOOL_TYPES: Readonly<Record<OwnToolType, true>> = {
  end_call: true,
  press_digits: true,
  leave_voicemail: true,
  transfer_call: true,
};
/** The tool that every agent has whose callees may opt out. */
export const OPT_OUT_TOOL = 'opt_out';
/** The usual names of the product's own tools, whether or not the settings have them. */
export const OWN_TOOL_NAMES: readonly string[] = [...Object.keys(OWN_TOOL_TYPES), OPT_OUT_TOOL];

export type TransferToolSettings = Extract<ToolSettings, { readonly type: 'transfer_call' }>;
export type HttpToolSettings = Extract<ToolSettings, { readonly type: 'http' }>;
