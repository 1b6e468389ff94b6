import { Text } from '@mantine/core';
import { formatDateTime } from '../../../shared/format/times.ts';
import { zoneWords } from '../../../shared/format/zone.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { readSchedule, type ScheduleValues } from '../model/placement-schedule.ts';
import { placementSentences } from '../model/placement-words.ts';

/** What will happen when the form is sent. Nothing while its times or retries are incomplete. Screen readers announce it. */
export function PlacementSummary({ values }: { readonly values: ScheduleValues }) {
  const { schedule } = readSchedule(values, useNow());
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {schedule !== null && placementSentences(schedule, timeWords).join(' ')}
    </Text>
  );
}

const timeWords = (iso: string) => `${formatDateTime(iso)} (${zoneWords(new Date(iso))})`;
