import { Alert, Stack, Table, Text } from '@mantine/core';
import type { CallingPolicyCheckBody } from '@outdial/contracts';
import { IconBan, IconCheck, IconClock } from '@tabler/icons-react';
import type { SuppressionCheck } from '../../shared/account/suppressions.ts';
import { CallingHoursNotice } from '../../shared/components/calling-hours-notice.tsx';
import { ListedNumberNotice } from '../../shared/components/listed-number-notice.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { formatDateTime } from '../../shared/format/times.ts';
import { verdictWords } from '../../shared/words/calling-policy.ts';
import { regionName } from './words/regions.ts';

interface VerdictProps {
  readonly check: CallingPolicyCheckBody;
  readonly listed: SuppressionCheck;
}

/** What a call would be answered, and why: each zone with its clock. Screen readers announce it. */
export function Verdict({ check, listed }: VerdictProps) {
  return (
    <Stack gap="sm" aria-live="polite">
      {check.verdict === 'allowed' ? <Allowed check={check} /> : <CallingHoursNotice check={check} />}
      {check.zones.length > 0 && <Zones check={check} />}
      <Text size="xs" c="dimmed">
        {whereWords(check)}
      </Text>
      {listed.suppressed ? <ListedNumberNotice check={listed} /> : <Text size="sm">On no do-not-call list.</Text>}
    </Stack>
  );
}

function Allowed({ check }: Pick<VerdictProps, 'check'>) {
  const { title, sentences } = verdictWords(check, formatDateTime);
  return (
    <Alert color="teal" variant="light" icon={<IconCheck aria-hidden />} title={title}>
      <Text size="sm">{sentences.join(' ')}</Text>
    </Alert>
  );
}

function Zones({ check: { zones } }: Pick<VerdictProps, 'check'>) {
  return (
    <Table aria-label="Time zones" verticalSpacing={6} horizontalSpacing={0}>
      <Table.Tbody>
        {zones.map(({ zone, local_time: at, open }) => (
          <Table.Tr key={zone}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{zone}</Table.Td>
            <Table.Td className="tabular">{at.slice(11, 16)}</Table.Td>
            <Table.Td ta="right">
              {open ? (
                <ToneBadge tone="good" icon={<IconClock size={14} aria-hidden />}>
                  Open
                </ToneBadge>
              ) : (
                <ToneBadge tone="warning" icon={<IconBan size={14} aria-hidden />}>
                  Closed
                </ToneBadge>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Where the callee may be. `US-*` stands for any region of the country. */
function whereWords({ regions, certain }: CallingPolicyCheckBody): string {
  const names = regions.filter((region) => !region.endsWith('-*')).map(regionName);
  const [country, ...parts] = names;
  if (country === undefined) return 'The number does not say where the callee is.';
  const place = parts.length === 0 ? country : `${parts.join(' or ')}, ${country}`;
  return certain
    ? `The number is from ${place}.`
    : `The number is from ${place}, and does not say from where there: all time zones must be open.`;
}
