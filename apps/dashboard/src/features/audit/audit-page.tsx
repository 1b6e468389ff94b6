import { Button, Center, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { AUDIT_SUBJECTS, type AuditEntryBody, type AuditSubject } from '@outdial/contracts';
import { IconHistory, IconLock } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { useSession } from '../../shared/session/session.ts';
import { ACCOUNT_SUBJECTS, actionWords, actorWords, SUBJECT_WORDS } from './audit-words.ts';
import { auditQuery } from './queries.ts';
import { subjectText } from './subject-text.ts';

/** The account's audit log: changes and sign-ins. */
export function AccountAuditPage() {
  const { account_id: accountId, role } = useAccount();
  if (role !== 'owner') return <NoAccess>Only account owners can view the audit log.</NoAccess>;
  return (
    <Page title="Audit log" description="Changes in this account and sign-ins of its members, newest first.">
      <Entries accountId={accountId} subjects={ACCOUNT_SUBJECTS} />
    </Page>
  );
}

/** The audit log of the whole platform, for operators. */
export function PlatformAuditPage() {
  const { user } = useSession();
  if (!user.is_operator) return <NoAccess>Only operators can view the platform audit log.</NoAccess>;
  return (
    <Page title="Platform audit log" description="Changes on the whole platform, newest first.">
      <Entries accountId={null} subjects={AUDIT_SUBJECTS} />
    </Page>
  );
}

function NoAccess({ children }: { readonly children: string }) {
  return (
    <Page title="Audit log">
      <EmptyState
        icon={IconLock}
        title="You do not have access"
        action={<LinkButton to="/">Go to dashboard</LinkButton>}
      >
        {children}
      </EmptyState>
    </Page>
  );
}

interface EntriesProps {
  /** Null: the whole platform. */
  readonly accountId: string | null;
  readonly subjects: readonly AuditSubject[];
}

function Entries({ accountId, subjects }: EntriesProps) {
  const [subject, setSubject] = useState<AuditSubject | undefined>();
  const audit = useInfiniteQuery(auditQuery(accountId, subject));
  return (
    <Stack gap="md">
      <NativeSelect
        label="Show"
        maw={280}
        value={subject ?? ''}
        onChange={({ currentTarget: { value } }) => setSubject(subjects.find((each) => each === value))}
        data={[
          { value: '', label: 'Everything' },
          ...subjects.map((each) => ({ value: each, label: SUBJECT_WORDS[each] })),
        ]}
      />
      <Loaded query={audit} what="the audit log" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) return <NoEntries />;
          return (
            <DataTable label="Audit log" columns={['Action', 'Actor', 'Target', 'Time']}>
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} />
              ))}
            </DataTable>
          );
        }}
      </Loaded>
      {audit.hasNextPage && (
        <Center>
          <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntryBody }) {
  const address = entry.data['address'];
  return (
    <Table.Tr>
      <Table.Td>
        {actionWords(entry)}
        {typeof address === 'string' && (
          <Text size="xs" c="dimmed">
            from {address}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{actorWords(entry.actor)}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{subjectText(entry)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <DateTime at={entry.at} />
      </Table.Td>
    </Table.Tr>
  );
}

function NoEntries() {
  return (
    <EmptyState icon={IconHistory} title="No entries yet">
      Changes and sign-ins appear here with their actor and time.
    </EmptyState>
  );
}
