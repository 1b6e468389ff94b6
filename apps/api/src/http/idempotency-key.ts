import { idempotencyKeySchema } from '@outdial/contracts';
import { invalidRequest } from './api-error.ts';
import { headerOf } from './header.ts';

/** The request's `Idempotency-Key`. @throws ApiError */
export function idempotencyKeyIn(rawHeaders: readonly string[]): string | null {
  const text = headerOf(rawHeaders, 'Idempotency-Key');
  if (text === null) return null;
  const key = idempotencyKeySchema.safeParse(text);
  if (key.success) return key.data;
  throw invalidRequest([{ param: 'Idempotency-Key', message: key.error.issues[0]?.message ?? 'is not valid' }]);
}
