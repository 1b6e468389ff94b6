import { z } from 'zod';
import { storableText } from './text.ts';

const timestamp = z.iso.datetime({ precision: 3 });

const NAME = '[A-Z][A-Z0-9_]{0,63}';

/** Each `{{secret.NAME}}` in a text: its first group is the name. */
export const SECRET_REFERENCE = new RegExp(`\\{\\{secret\\.(${NAME})\\}\\}`, 'g');

/** The `NAME` of `{{secret.NAME}}`. */
export const secretNameSchema = z
  .string()
  .regex(
    new RegExp(`^${NAME}$`),
    'must be 1 to 64 characters (A to Z, digits, underscores) and begin with A to Z, such as CRM_TOKEN',
  )
  .brand<'SecretName'>();
export type SecretName = z.output<typeof secretNameSchema>;

/** It becomes a part of a header (RFC 9110 section 5.5). */
export const secretValueText = storableText
  .min(1, 'must not be empty')
  .max(4_096, 'must be at most 4096 characters')
  // oxlint-disable-next-line no-control-regex -- these are the rejected characters
  .regex(/^[^\r\n\0]*$/, 'must be a single line');

/** `PUT /secrets/{secret_name}`. */
export const setSecretSchema = z.strictObject({
  value: secretValueText.describe('The secret. No response contains it.'),
});

export const secretSchema = z.strictObject({
  name: z.string().describe('Tools of agents name it: `{{secret.NAME}}`.'),
  created_at: timestamp.describe('When it was created.'),
  updated_at: timestamp.describe('When its value was set.'),
});
export type SecretBody = z.output<typeof secretSchema>;

export const secretEnvelopeSchema = z.strictObject({ secret: secretSchema });
export const secretListSchema = z.strictObject({ secrets: z.array(secretSchema).describe('By name.') });
export const secretParamsSchema = z.object({ secret_name: secretNameSchema.describe('The secret’s name.') });
