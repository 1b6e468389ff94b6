import { z } from 'zod';
import { KEY_SCOPES, keyScopesSchema } from './key-scopes.ts';
import { nameText } from './name.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const apiKeySchema = z.strictObject({
  id: z.guid().describe('Identifies the key. It is not secret.'),
  name: z.string().describe('Its name.'),
  shown_prefix: z.string().describe('Its first characters, by which people tell keys apart.'),
  scopes: z.array(z.enum(KEY_SCOPES)).describe('What the key may do.'),
  created_at: timestamp.describe('When it was created.'),
  last_used_at: timestamp.nullable().describe('When it was last used, to within a minute or so. Null: never.'),
  expires_at: timestamp.nullable().describe('When it stops working. Null: never.'),
  revoked_at: timestamp.nullable().describe('When it was revoked. Null: it was not.'),
});
export type ApiKeyBody = z.output<typeof apiKeySchema>;

/** `GET /api-keys`. */
export const apiKeyListSchema = z.strictObject({
  api_keys: z.array(apiKeySchema).describe('Newest first. A revoked key stays listed for 30 days.'),
});

/** `POST /api-keys`. */
export const createApiKeySchema = z.strictObject({
  name: nameText(100).describe('A name, at most 100 characters.'),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time' })
    .nullable()
    .describe('When the key stops working. Null: never.'),
  scopes: keyScopesSchema.default(['outbound']).describe('What the key may do; default `outbound`.'),
});
export const createdApiKeySchema = z.strictObject({
  api_key: apiKeySchema.describe('The new key.'),
  value: z.string().describe('The key itself. It is in this response alone, and never again.'),
});

/** `POST /api-keys/{key_id}/revoke`. */
export const apiKeyEnvelopeSchema = z.strictObject({ api_key: apiKeySchema.describe('The key.') });
