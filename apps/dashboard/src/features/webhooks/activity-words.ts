import type { WebhookHourBody } from '@outdial/contracts';
import { formatCount } from '../../shared/format/numbers.ts';

export type Sums = Pick<WebhookHourBody, 'delivered' | 'failed' | 'pending' | 'has_more'>;

const NOTHING: Sums = { delivered: 0, failed: 0, pending: 0, has_more: false };

export function sumOf(hours: readonly Sums[]): Sums {
  return hours.reduce(
    (sum, hour) => ({
      delivered: sum.delivered + hour.delivered,
      failed: sum.failed + hour.failed,
      pending: sum.pending + hour.pending,
      has_more: sum.has_more || hour.has_more,
    }),
    NOTHING,
  );
}

/** Such as `1,200 delivered, 3 failed`. Counts that are lower bounds are so many "or more". */
export function activityWords(sums: Sums): string {
  const { delivered, failed, pending, has_more: hasMore } = sums;
  const parts = [
    { count: delivered, word: 'delivered' },
    { count: failed, word: 'failed' },
    { count: pending, word: 'pending' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return 'Nothing sent';
  return parts.map(({ count, word }) => `${formatCount(count)}${hasMore ? '+' : ''} ${word}`).join(', ');
}
