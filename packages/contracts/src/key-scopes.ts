import { z } from 'zod';

/**
 * What an API key may do. `outbound`: calls, and what belongs to them. `manage`: the agents, credentials, secrets, webhooks
 * and keys of the account.
 */
export const KEY_SCOPES = ['outbound', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const keyScopesSchema = z
  .array(z.enum(KEY_SCOPES, `must be ${KEY_SCOPES.join(' or ')}`))
  .min(1, 'must have at least one entry')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once');
