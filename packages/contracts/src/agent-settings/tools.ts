import { z } from 'zod';
import { jsonObject } from '../text.ts';
import type { TemplateText } from './template-text.ts';
import { transferDestinations } from './transfer-tool.ts';

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_SCHEMA_BYTES = 16 * 1024;

/** A JSON Schema of an object. `settingsProblems` says whether it is a schema at all. */
const parametersSchema = jsonObject(MAX_SCHEMA_BYTES).refine(
  (schema) => schema['type'] === 'object',
  'must be a JSON Schema with "type": "object"',
);

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'must be the name of an HTTP header');
/** `{{secret.NAME}}` stands for a secret of the account. Line breaks would add headers. */
const headerValue = z
  .string()
  .max(2_000)
  .regex(/^[^\r\n]*$/, 'must be one line');

const SECRET = /\{\{secret\.([A-Z][A-Z0-9_]*)\}\}/g;

/** A secret that a tool sends. */
export interface SecretUse {
  readonly name: string;
  /** Of the header, in the settings. */
  readonly path: string;
}

export function secretUsesOf({ tools }: { readonly tools: readonly ToolSettings[] }): readonly SecretUse[] {
  return tools.flatMap((tool, index) => {
    if (tool.type !== 'http') return [];
    return Object.entries(tool.headers).flatMap(([header, value]) =>
      [...value.matchAll(SECRET)].map(([, name = '']) => ({ name, path: `tools.${index}.headers.${header}` })),
    );
  });
}

/** The names of the secrets that the tools send. */
export function secretNamesOf(settings: { readonly tools: readonly ToolSettings[] }): readonly string[] {
  return [...new Set(secretUsesOf(settings).map(({ name }) => name))];
}

/** What a model may do during a call. */
export function toolSchema(text: (maxLength: number) => TemplateText) {
  const base = {
    name: z.string().regex(TOOL_NAME, 'must begin with a-z and have at most 64 of a-z, 0-9 and _'),
    description: text(1_000),
  };
  const speak = z
    .strictObject({ while_running: text(300).optional(), after: z.enum(['model', 'nothing']).default('model') })
    .default({ after: 'model' });
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('end_call'), ...base }),
    z.strictObject({ type: z.literal('press_digits'), ...base }),
    z.strictObject({ type: z.literal('leave_voicemail'), ...base }),
    z.strictObject({
      type: z.literal('transfer_call'),
      ...base,
      /** `blind`: the callee is handed over, and our call ends. */
      mode: z.enum(['blind']).default('blind'),
      destinations: transferDestinations(text),
    }),
    z.strictObject({
      type: z.literal('http'),
      ...base,
      speak,
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000),
      headers: z.record(headerName, headerValue).default({}),
      parameters: parametersSchema.default({ type: 'object', properties: {} }),
      /** Where the arguments go. */
      send: z.enum(['body', 'query']).default('body'),
      timeout_ms: z.int().min(500).max(30_000).default(10_000),
      /** Repeating the request does no harm. */
      idempotent: z.boolean().default(false),
    }),
  ]);
}

export type ToolSettings = z.output<ReturnType<typeof toolSchema>>;
export type TransferToolSettings = Extract<ToolSettings, { readonly type: 'transfer_call' }>;
export type HttpToolSettings = Extract<ToolSettings, { readonly type: 'http' }>;
