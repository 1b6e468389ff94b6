import { Alert, Stack, Text } from '@mantine/core';
import type { CallingPolicyCheckBody } from '@outdial/contracts';
import { IconClockPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../format/times.ts';
import { verdictWords } from '../words/calling-policy.ts';

interface CallingHoursNoticeProps {
  /** Undefined: not known yet. */
  readonly check: CallingPolicyCheckBody | undefined;
  /** What to do on this page. */
  readonly children?: ReactNode;
}

/** Says that the calling policy keeps a number from being called, why and until when. Nothing for a call that it allows. */
export function CallingHoursNotice({ check, children }: CallingHoursNoticeProps) {
  if (check === undefined || check.verdict === 'allowed') return null;
  const { title, sentences } = verdictWords(check, formatDateTime);
  return (
    <Alert color="orange" variant="light" icon={<IconClockPause aria-hidden />} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentences.join(' ')}</Text>
        {children}
      </Stack>
    </Alert>
  );
}
