import { Progress, Stack, Table, Text, Title } from '@mantine/core';
import '@mantine/core/styles/Progress.css';
import type { CampaignBody } from '@outdial/contracts';
import { EndedReasonBadge } from '../../../shared/components/call-status-badge.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import { TONE_COLORS } from '../../../shared/words/tone.ts';
import { contactsWord, outcomeRows, shareWords } from '../words/progress-words.ts';

/** How the last calls of the contacts that are done ended: as a bar and as a table. */
export function OutcomePanel({ campaign: { progress } }: { readonly campaign: CampaignBody }) {
  const rows = outcomeRows(progress);
  return (
    <Stack gap="sm" component="section" aria-label="Outcomes">
      <Title order={2} size="h4">
        Outcomes
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No contact is done yet.
        </Text>
      ) : (
        <>
          <Progress.Root size="xl" radius="xl" aria-hidden>
            {rows.map(({ reason, share }) => (
              <Progress.Section
                key={reason}
                value={100 * share}
                color={TONE_COLORS[ENDED_REASON_WORDS[reason].tone]}
                withAria={false}
                style={{ borderInlineEnd: '1px solid var(--mantine-color-body)' }}
              />
            ))}
          </Progress.Root>
          <DataTable
            label="Outcomes"
            columns={['Outcome', { label: 'Contacts', align: 'end' }, { label: 'Share', align: 'end' }]}
            minWidth={320}
          >
            {rows.map(({ reason, contacts, share }) => (
              <Table.Tr key={reason}>
                <Table.Td>
                  <EndedReasonBadge reason={reason} />
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {formatCount(contacts)}
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {shareWords(share)}
                </Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
          <Text size="xs" c="dimmed">
            By the last call of each contact that is done: {contactsWord(progress.done)}.
          </Text>
        </>
      )}
    </Stack>
  );
}
