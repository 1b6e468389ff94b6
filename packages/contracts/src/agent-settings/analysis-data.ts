import { z } from 'zod';
import { storableText } from '../text.ts';

const MAX_FIELDS = 32;
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const description = { title: storableText.max(200).optional(), description: storableText.max(1_000).optional() };
const choices = z.array(storableText.min(1).max(200)).min(1).max(50).optional();
const bounds = { minimum: z.number().optional(), maximum: z.number().optional() };

const stringField = z.strictObject({ type: z.literal('string'), ...description, enum: choices });
const numberField = z.strictObject({ type: z.enum(['number', 'integer']), ...description, ...bounds });
const booleanField = z.strictObject({ type: z.literal('boolean'), ...description });
const plainField = z.discriminatedUnion('type', [stringField, numberField, booleanField]);
const listField = z.strictObject({ type: z.literal('array'), ...description, items: plainField });
const field = z.discriminatedUnion('type', [stringField, numberField, booleanField, listField]);

/**
 * A JSON Schema (draft 2020-12) of a flat object. Closed: no keyword lets a schema make its checks slow, as `pattern`
 * would, and every provider knows these.
 */
export const analysisDataSchema = z
  .strictObject({
    type: z.literal('object', 'must be a JSON Schema with "type": "object"'),
    ...description,
    properties: z
      .record(z.string().regex(FIELD_NAME, 'must be a name of a-z, A-Z, 0-9 and _'), field)
      .refine((fields) => Object.keys(fields).length > 0, 'must have at least one field')
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`),
    required: z.array(z.string()).max(MAX_FIELDS).optional(),
    additionalProperties: z.literal(false).optional(),
  })
  .superRefine(({ properties, required = [] }, context) => {
    for (const [index, name] of required.entries()) {
      if (!Object.hasOwn(properties, name)) {
        context.addIssue({ code: 'custom', path: ['required', index], message: 'must be the name of a property' });
      }
    }
  });

export type AnalysisDataSchema = z.output<typeof analysisDataSchema>;
