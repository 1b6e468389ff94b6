import { createHash, createHmac } from 'node:crypto';
import { callIdSchema, type AccountId, type CallId, type CreateCallBody } from '@outdial/contracts';
import { uuidV8 } from '@outdial/kernel';

/** Identifies a retry. `bodyDigest` is the SHA-256 of the body in canonical form, as hex. */
export interface Idempotency {
  readonly key: string;
  readonly bodyDigest: string;
}

/**
 * The call id of an idempotency key. It is derived, so that two requests under one key meet at the gate before either has
 * written anything. It is keyed by the account, so that no client can produce another account's ids.
 */
export function idempotentCallId(accountId: AccountId, key: string): CallId {
  return callIdSchema.parse(uuidV8(createHmac('sha256', accountId).update(key).digest()));
}

/** Bodies that parse to the same value have the same digest: order and spacing of the JSON do not matter. */
export function digestBody(body: CreateCallBody): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

/** JSON with sorted keys and no white space. Undefined members are omitted, as in JSON itself. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
