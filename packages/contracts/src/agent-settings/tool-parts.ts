import { z } from 'zod';
import { jsonObject } from '../text.ts';
import type { TemplateText } from './template-text.ts';

const MAX_SCHEMA_BYTES = 16 * 1024;

/** What the model calls a tool by. */
export const toolName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must begin with a-z and have at most 64 of a-z, 0-9 and _');

/** A JSON Schema of an object. `settingsProblems` says whether it is a schema at all. */
export const parametersSchema = jsonObject(MAX_SCHEMA_BYTES).refine(
  (schema) => schema['type'] === 'object',
  'must be a JSON Schema with "type": "object"',
);

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'must be the name of an HTTP header');
/** `{{secret.NAME}}` stands for a secret of the account. Line breaks would add headers. */
const headerValue = z
  .string()
  .max(2_000)
  .regex(/^[^\r\n]*$/, 'must be one line');

/** What requests to a customer's server have in common. */
export const requestParts = {
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000),
  headers: z.record(headerName, headerValue).default({}),
  timeout_ms: z.int().min(500).max(30_000).default(10_000),
};

/** What the agent says while a tool runs, and after it. */
export function speakSchema(text: (maxLength: number) => TemplateText) {
  return z
    .strictObject({ while_running: text(300).optional(), after: z.enum(['model', 'nothing']).default('model') })
    .default({ after: 'model' });
}
