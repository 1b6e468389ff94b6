import { Button, Stack, Text } from '@mantine/core';
import type { OperatedTrunkBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { messageOf } from '../../../shared/components/error-notice.tsx';
import { notifyDone, notifyFailure } from '../../../shared/components/notify.tsx';
import { RelativeTime } from '../../../shared/components/time-text.tsx';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { TrunkHealthBadge } from '../parts/trunk-health-badge.tsx';
import { isUnderTest, useChangeTrunk } from './queries.ts';
import { testLines } from './test-words.ts';

interface TrunkTableProps {
  readonly trunks: readonly OperatedTrunkBody[];
  readonly onEdit: (trunk: OperatedTrunkBody) => void;
}

export function OperatedTrunkTable({ trunks, onEdit }: TrunkTableProps) {
  const disabling = useDialogAbout<OperatedTrunkBody>();
  const change = useChangeTrunk();
  const disable = (name: string) =>
    change.mutate(
      { kind: 'enable', name, enabled: false },
      {
        onSuccess: () => {
          disabling.close();
          notifyDone(`Trunk ${name} disabled.`);
        },
      },
    );
  return (
    <>
      <StackedTable label="Trunks" columns={['Trunk', 'Health', 'In use', 'Latest test']}>
        {trunks.map((trunk) => (
          <TrunkRow
            key={trunk.name}
            trunk={trunk}
            onEdit={() => onEdit(trunk)}
            onDisable={() => disabling.open(trunk)}
          />
        ))}
      </StackedTable>
      <ConfirmDialog
        isOpen={disabling.isOpen}
        onClose={disabling.close}
        title={`Disable trunk ${disabling.subject?.name ?? ''}?`}
        confirmLabel="Disable trunk"
        onConfirm={() => disabling.subject && disable(disabling.subject.name)}
        action={change}
      >
        The trunk gets no new calls. Calls in progress continue. If no other trunk is available, new calls wait or are
        rejected. You can enable it again.
      </ConfirmDialog>
    </>
  );
}

interface TrunkRowProps {
  readonly trunk: OperatedTrunkBody;
  readonly onEdit: () => void;
  readonly onDisable: () => void;
}

const onError = (error: unknown) => notifyFailure('Could not update the trunk', messageOf(error));

function TrunkRow({ trunk, onEdit, onDisable }: TrunkRowProps) {
  const change = useChangeTrunk();
  const { name } = trunk;
  return (
    <StackedRow
      cells={{
        Trunk: <TrunkAddress trunk={trunk} />,
        Health: <TrunkHealthBadge trunk={trunk} />,
        'In use': (
          <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
            {trunk.in_use} of {trunk.channels}
          </span>
        ),
        'Latest test': <LatestTest trunk={trunk} />,
      }}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={`Test ${name}`}
            loading={change.isPending || isUnderTest(trunk)}
            onClick={() => change.mutate({ kind: 'test', name }, { onError })}
          >
            Test
          </Button>
          <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          {trunk.enabled ? (
            <Button size="xs" variant="default" onClick={onDisable} aria-label={`Disable ${name}`}>
              Disable
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              aria-label={`Enable ${name}`}
              onClick={() =>
                change.mutate(
                  { kind: 'enable', name, enabled: true },
                  { onError, onSuccess: () => notifyDone(`Trunk ${name} enabled.`) },
                )
              }
            >
              Enable
            </Button>
          )}
        </>
      }
    />
  );
}

function TrunkAddress({ trunk }: { readonly trunk: OperatedTrunkBody }) {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={550}>
        {trunk.name}
      </Text>
      <Text size="xs" c="dimmed">
        {trunk.uri} over {trunk.transport.toUpperCase()}
        {trunk.username !== null && `, as ${trunk.username}`}
      </Text>
      <Text size="xs" c="dimmed">
        priority {trunk.priority}, weight {trunk.weight}, {trunk.calls_per_second} calls per second
      </Text>
    </Stack>
  );
}

function LatestTest({ trunk }: { readonly trunk: OperatedTrunkBody }) {
  if (trunk.test === null) {
    return (
      <Text size="sm" c="dimmed">
        Never tested
      </Text>
    );
  }
  return (
    <Stack gap={2} aria-live="polite">
      {testLines(trunk).map(({ key, tone, words }) => (
        <Text key={key} size="sm" c={tone === 'bad' ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}>
          {words}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        <RelativeTime at={trunk.test.requested_at} />
      </Text>
    </Stack>
  );
}
