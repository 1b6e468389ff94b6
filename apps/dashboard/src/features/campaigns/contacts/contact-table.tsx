import { Table, Text } from '@mantine/core';
import type { CampaignContactBody } from '@outdial/contracts';
import { IconMinus } from '@tabler/icons-react';
import { CallStatusBadge, EndedReasonBadge } from '../../../shared/components/call-status-badge.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { formatCount, formatPhoneNumber } from '../../../shared/format/numbers.ts';

interface ContactTableProps {
  readonly accountId: string;
  readonly contacts: readonly CampaignContactBody[];
  /** They came with several uploads, each of which counts its lines from 1. */
  readonly hasUploads: boolean;
}

export function ContactTable({ accountId, contacts, hasUploads }: ContactTableProps) {
  return (
    <DataTable
      label="Contacts"
      columns={['Number', 'Line', { label: 'Attempts', align: 'end' }, 'Outcome', 'Last call']}
      minWidth={520}
    >
      {contacts.map(({ upload, line, number, attempts, call_id: callId, ...contact }) => (
        <Table.Tr key={`${upload}.${line}`}>
          <Table.Td className="tabular" style={{ whiteSpace: 'nowrap' }}>
            {formatPhoneNumber(number)}
          </Table.Td>
          <Table.Td className="tabular">
            <span>
              {formatCount(line)}
              {hasUploads && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  of upload {upload}
                </Text>
              )}
            </span>
          </Table.Td>
          <Table.Td ta="right" className="tabular">
            {attempts}
          </Table.Td>
          <Table.Td>
            <Outcome contact={contact} />
          </Table.Td>
          <Table.Td>
            {callId === null ? (
              '–'
            ) : (
              <LinkText
                to="/accounts/$accountId/calls/$callId"
                params={{ accountId, callId }}
                size="sm"
                aria-label={`View call to ${formatPhoneNumber(number)}`}
              >
                View call
              </LinkText>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** How the last call ended, or where it stands. */
function Outcome({ contact }: { readonly contact: Pick<CampaignContactBody, 'outcome' | 'call_status'> }) {
  const { outcome, call_status: status } = contact;
  if (outcome === 'not_dialled') {
    return (
      <ToneBadge tone="neutral" icon={<IconMinus size={13} aria-hidden />}>
        Not dialed
      </ToneBadge>
    );
  }
  if (outcome !== null) return <EndedReasonBadge reason={outcome} />;
  if (status !== null) return <CallStatusBadge status={status} />;
  return (
    <Text size="sm" c="dimmed">
      Not yet called
    </Text>
  );
}
