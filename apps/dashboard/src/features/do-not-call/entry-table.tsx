import { Button, Stack, Table, Text } from '@mantine/core';
import type { SuppressionBody } from '@outdial/contracts';
import { IconHandStop, IconPencil } from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { useAccount } from '../../shared/session/account.ts';
import { SUPPRESSION_KIND_WORDS, SUPPRESSION_SOURCE_WORDS } from '../../shared/words/suppression.ts';

interface EntryTableProps {
  readonly entries: readonly SuppressionBody[];
  readonly onRemove: (entry: SuppressionBody) => void;
}

export function EntryTable({ entries, onRemove }: EntryTableProps) {
  const { isOwner } = useAccount();
  return (
    <DataTable
      label="Do-not-call list"
      columns={['Number', 'Kind', 'Reason', 'Added', ...(isOwner ? [''] : [])]}
      minWidth={760}
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td className="tabular" fw={550} style={{ whiteSpace: 'nowrap' }}>
            {formatPhoneNumber(entry.number)}
          </Table.Td>
          <Table.Td>
            <Kind entry={entry} />
          </Table.Td>
          <Table.Td>{entry.reason ?? 'Not given'}</Table.Td>
          <Table.Td>
            <Added entry={entry} />
          </Table.Td>
          {isOwner && (
            <Table.Td ta="right">
              {entry.kind === 'manual' && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={`Remove ${formatPhoneNumber(entry.number)}`}
                  onClick={() => onRemove(entry)}
                >
                  Remove
                </Button>
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Kind({ entry: { kind } }: { readonly entry: SuppressionBody }) {
  if (kind === 'manual') {
    return (
      <ToneBadge tone="neutral" icon={<IconPencil size={13} aria-hidden />}>
        {SUPPRESSION_KIND_WORDS.manual}
      </ToneBadge>
    );
  }
  return (
    <Stack gap={4} align="flex-start">
      <ToneBadge tone="warning" icon={<IconHandStop size={13} aria-hidden />}>
        {SUPPRESSION_KIND_WORDS.opt_out}
      </ToneBadge>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Stands: only your operator lifts it
      </Text>
    </Stack>
  );
}

function Added({ entry }: { readonly entry: SuppressionBody }) {
  const { account_id: accountId } = useAccount();
  const { created_at: at, source, call_id: callId } = entry;
  return (
    <div>
      <DateTime at={at} />
      <Text size="xs" c="dimmed">
        {SUPPRESSION_SOURCE_WORDS[source]}
        {callId !== null && (
          <>
            {' · '}
            <LinkText
              to="/accounts/$accountId/calls/$callId"
              params={{ accountId, callId }}
              size="xs"
              underline="always"
              aria-label={`View call to ${formatPhoneNumber(entry.number)}`}
            >
              View call
            </LinkText>
          </>
        )}
      </Text>
    </div>
  );
}
