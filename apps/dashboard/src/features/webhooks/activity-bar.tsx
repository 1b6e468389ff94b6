import { Stack, Text } from '@mantine/core';
import type { WebhookHourBody } from '@outdial/contracts';
import { formatClockTime } from '../../shared/format/times.ts';
import classes from './activity-bar.module.css';
import { activityWords, sumOf } from './activity-words.ts';

/** From the top of a column to its base. */
const PARTS = ['failed', 'pending', 'delivered'] as const;

/** The deliveries of the last 24 hours: a column an hour, and the sums in words, which say all that the colors say. */
export function ActivityBar({ hours }: { readonly hours: readonly WebhookHourBody[] }) {
  const most = Math.max(1, ...hours.map(({ delivered, failed, pending }) => delivered + failed + pending));
  return (
    <Stack gap={4}>
      <div className={classes['bar']} aria-hidden>
        {hours.map((hour) => (
          <div key={hour.at} className={classes['hour']} title={`${formatClockTime(hour.at)}: ${activityWords(hour)}`}>
            {PARTS.map((part) => (
              <div key={part} data-part={part} style={{ height: `${(hour[part] / most) * 100}%` }} />
            ))}
          </div>
        ))}
      </div>
      <Text size="xs">{activityWords(sumOf(hours))}</Text>
    </Stack>
  );
}
