import {
  apiKeyEnvelopeSchema,
  apiKeyIdSchema,
  apiKeyListSchema,
  createApiKeySchema,
  createdApiKeySchema,
} from '@outdial/contracts';
import { z } from 'zod';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const listApiKeysContract = defineContract({
  scope: 'manage',
  method: 'GET',
  path: '/api/v1/api-keys',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: apiKeyListSchema },
  errors: [],
  docs: {
    operationId: 'listApiKeys',
    tag: 'API keys',
    summary: 'List API keys',
    description: 'The keys of the account, newest first. The keys themselves are not stored and cannot be read.',
    answers: { 200: { description: 'The keys.' } },
  },
});

export const createApiKeyContract = defineContract({
  scope: 'manage',
  method: 'POST',
  path: '/api/v1/api-keys',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createApiKeySchema,
  responses: { 201: createdApiKeySchema },
  errors: ['body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'createApiKey',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'Creates a key, and returns it this once. A key can only give what it has: a scope that it lacks is `scope_missing`.',
    answers: { 201: { description: 'The new key. Keep `value`: it cannot be read again.' } },
  },
});

export const revokeApiKeyContract = defineContract({
  scope: 'manage',
  method: 'POST',
  path: '/api/v1/api-keys/:key_id/revoke',
  params: z.object({ key_id: apiKeyIdSchema.describe('The key.') }),
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: apiKeyEnvelopeSchema },
  errors: ['api_key_not_found'],
  docs: {
    operationId: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'The key stops working within a second. Repeating the request changes nothing. A key may revoke itself.',
    answers: { 200: { description: 'The revoked key.' } },
  },
});
