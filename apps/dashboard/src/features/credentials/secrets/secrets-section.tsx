import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SecretBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { secretsQuery } from '../queries.ts';
import { DeleteSecretDialog } from './delete-secret-dialog.tsx';
import { SetSecretDialog } from './set-secret-dialog.tsx';

/** The secrets that tools of agents send in their headers. Names alone are shown. */
export function SecretsSection({ accountId }: { readonly accountId: string }) {
  const secrets = useQuery(secretsQuery(accountId));
  const [isAdding, adding] = useDisclosure(false);
  const replacing = useDialogAbout<SecretBody>();
  const deleting = useDialogAbout<SecretBody>();
  return (
    <Stack gap="sm" component="section" aria-labelledby="secrets">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4" id="secrets">
            Secrets of tools
          </Title>
          <Text size="sm" c="dimmed">
            {'The headers of an agent’s HTTP tools name them as {{secret.NAME}}.'}
          </Text>
        </div>
        <Button variant="default" onClick={adding.open}>
          Add secret
        </Button>
      </Group>
      <Loaded query={secrets} what="secrets" skeleton={<TableSkeleton rows={2} />}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              No secrets yet.
            </Text>
          ) : (
            <SecretTable secrets={list} onReplace={replacing.open} onDelete={deleting.open} />
          )
        }
      </Loaded>
      <SetSecretDialog accountId={accountId} isOpen={isAdding} name={null} onClose={adding.close} />
      <SetSecretDialog
        accountId={accountId}
        isOpen={replacing.isOpen}
        name={replacing.subject?.name ?? null}
        onClose={replacing.close}
      />
      <DeleteSecretDialog accountId={accountId} dialog={deleting} />
    </Stack>
  );
}

interface SecretTableProps {
  readonly secrets: readonly SecretBody[];
  readonly onReplace: (secret: SecretBody) => void;
  readonly onDelete: (secret: SecretBody) => void;
}

function SecretTable({ secrets, onReplace, onDelete }: SecretTableProps) {
  return (
    <DataTable label="Secrets of tools" columns={['Name', 'Value set', '']} minWidth={480}>
      {secrets.map((secret) => (
        <Table.Tr key={secret.name}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Code>{secret.name}</Code>
          </Table.Td>
          <Table.Td>
            <DateTime at={secret.updated_at} />
          </Table.Td>
          <Table.Td>
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <Button size="compact-sm" variant="subtle" onClick={() => onReplace(secret)}>
                Replace
              </Button>
              <Button size="compact-sm" variant="subtle" color="red" onClick={() => onDelete(secret)}>
                Delete
              </Button>
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
