import { z } from 'zod';
import { KEY_SCOPES, keyScopesSchema } from '../key-scopes.ts';
import { nameText } from '../name.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const apiKeySchema = z.strictObject({
  id: z.guid(),
  name: z.string(),
  /** Its first characters, by which people tell keys apart. */
  shown_prefix: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});
export type ApiKeyBody = z.output<typeof apiKeySchema>;

/** `GET …/api-keys`, newest first. A revoked key stays listed for 30 days. */
export const apiKeyListSchema = z.strictObject({ api_keys: z.array(apiKeySchema) });

/** `POST …/api-keys`, by an owner. */
export const createApiKeySchema = z.strictObject({
  name: nameText(100),
  expires_at: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).nullable(),
  scopes: keyScopesSchema.default(['outbound']),
});
/** `value` is the key itself: only in this response, never again. */
export const createdApiKeySchema = z.strictObject({ api_key: apiKeySchema, value: z.string() });

/** `POST …/api-keys/{key_id}/revoke`, by an owner. */
export const apiKeyEnvelopeSchema = z.strictObject({ api_key: apiKeySchema });
