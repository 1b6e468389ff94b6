import { createHash, createHmac } from 'node:crypto';
import { callIdSchema, type AccountId, type CallId, type CreateCallBody } from '@outdial/contracts';
import { uuidV8 } from '@outdial/kernel';

/** What makes a retry recognisable. `bodyDigest` is SHA-256 of the body in canonical form, hex. */
export interface Idempotency {
  readonly key: string;
  readonly bodyDigest: string;
}

/**
 * The call id that belongs to an idempotency key. Derived, so that two attempts under one key meet at the gate before
 * either of them has written anything. Keyed by the account: nobody can aim at another account's ids.
 */
export function idempotentCallId(accountId: AccountId, key: string): CallId {
  return callIdSchema.parse(uuidV8(createHmac('sha256', accountId).update(key).digest()));
}

/** Two bodies have one digest if they say the same as parsed: order and spacing of the JSON do not count. */
export function digestBody(body: CreateCallBody): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

/** JSON with sorted keys and no white space. Members that are undefined are left out, as in JSON itself. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
