import type { ApiKeyBody } from '@outdial/contracts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** Whether the key is accepted. A key that is both expired and revoked counts as revoked. */
export function stateOf(key: ApiKeyBody, nowMs: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && Date.parse(key.expires_at) <= nowMs ? 'expired' : 'active';
}

export const EXPIRY_CHOICES = [
  { value: 'never', label: 'Never', days: null },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In 1 year', days: 365 },
] as const;

const DAY_MS = 86_400_000;

/** When a key that is created now expires. Null: never. */
export function expiryOf(choice: string, nowMs: number): string | null {
  const days = EXPIRY_CHOICES.find(({ value }) => value === choice)?.days ?? null;
  return days === null ? null : new Date(nowMs + days * DAY_MS).toISOString();
}
