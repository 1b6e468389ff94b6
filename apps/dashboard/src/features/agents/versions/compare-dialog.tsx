import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import type { AgentBody, AgentVersionDetailBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import classes from '../fields.module.css';
import { useSaveAgent, versionQuery } from '../queries.ts';
import { diffSettings } from './settings-diff.ts';

interface CompareDialogProps {
  readonly accountId: string;
  readonly agent: AgentBody;
  /** Null: the dialog is closed. */
  readonly version: number | null;
  readonly onClose: () => void;
}

/** What the current version changed since another one, and the way back to it. */
export function CompareDialog({ accountId, agent, version, onClose }: CompareDialogProps) {
  return (
    <Modal
      opened={version !== null}
      onClose={onClose}
      title={`Version ${version} and the current version ${agent.version}`}
      size="xl"
    >
      {version !== null && <Comparison accountId={accountId} agent={agent} version={version} onClose={onClose} />}
    </Modal>
  );
}

function Comparison({ accountId, agent, version, onClose }: CompareDialogProps & { readonly version: number }) {
  const earlier = useQuery(versionQuery(accountId, agent.id, version));
  const save = useSaveAgent(accountId, { id: agent.id, version: agent.version });
  const settings = earlier.data?.settings ?? null;
  const restore = () =>
    settings !== null &&
    save.mutate(settings, {
      onSuccess: (saved) => {
        notifyDone(`Version ${version} restored as version ${saved.version}.`);
        onClose();
      },
    });
  return (
    <Stack>
      <Loaded query={earlier} what="the version" skeleton={<PanelSkeleton />}>
        {(loaded) => <Changes agent={agent} earlier={loaded} />}
      </Loaded>
      {save.isError && <ErrorNotice title="Could not restore the version" error={save.error} />}
      <Text size="sm" c="dimmed">
        Restoring saves the settings of version {version} as a new version. Open calls keep theirs.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={restore} loading={save.isPending} disabled={settings === null}>
          Restore version {version}
        </Button>
      </Group>
    </Stack>
  );
}

interface ChangesProps {
  readonly agent: AgentBody;
  readonly earlier: AgentVersionDetailBody;
}

function Changes({ agent, earlier }: ChangesProps) {
  if (earlier.settings === null || agent.settings === null) {
    return <Text size="sm">These versions cannot be compared: {earlier.problem ?? agent.problem}</Text>;
  }
  const changes = diffSettings(earlier.settings, agent.settings);
  if (changes.length === 0) return <Text size="sm">Both versions have the same settings.</Text>;
  return (
    <DataTable
      label="Changed fields"
      columns={['Field', `Version ${earlier.version}`, `Version ${agent.version}`]}
      minWidth={480}
    >
      {changes.map(({ path, before, after }) => (
        <Table.Tr key={path}>
          <Table.Td fw={550}>{path}</Table.Td>
          <Value text={before} />
          <Value text={after} />
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return (
    <Table.Td>
      {text === undefined ? (
        <Text size="sm" c="dimmed">
          Not set
        </Text>
      ) : (
        <Text size="sm" className={classes['value'] ?? ''}>
          {text}
        </Text>
      )}
    </Table.Td>
  );
}
