import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { versionConflictDetailsSchema } from '@outdial/contracts';
import { IconGitMerge } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { agentQuery } from '../../shared/account/queries.ts';
import { ApiError } from '../../shared/api/api-error.ts';

/** Which version the agent has by now, of a save that began from an older one. Null: the error is another. */
export function currentVersionOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'version_conflict') return null;
  return versionConflictDetailsSchema.safeParse(error.details).data?.current_version ?? null;
}

interface ConflictNoticeProps {
  readonly accountId: string;
  readonly agentId: string;
  readonly current: number;
  /** What is written stays, and the next save replaces the current version. */
  readonly onKeep: () => void;
}

/** Another person, or another tab, has saved the agent since it was opened here. Nothing is lost before a choice. */
export function ConflictNotice({ accountId, agentId, current, onKeep }: ConflictNoticeProps) {
  const queryClient = useQueryClient();
  const load = () => void queryClient.invalidateQueries({ queryKey: agentQuery(accountId, agentId).queryKey });
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconGitMerge aria-hidden />}
      title={`Version ${current} was saved while you were editing`}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Your changes were not saved and are still in the form. Load version {current} to see what changed, which
          discards yours, or keep yours and save them over it.
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={load}>
            Discard mine and load version {current}
          </Button>
          <Button size="xs" variant="default" onClick={onKeep}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

export function ReplacesNotice({ version }: { readonly version: number }) {
  return (
    <Alert color="orange" variant="light" icon={<IconGitMerge aria-hidden />} title="Not the latest version">
      You are editing an older version. If you save, your text replaces version {version}.
    </Alert>
  );
}
