import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { versionConflictDetailsSchema } from '@outdial/contracts';
import { IconGitMerge } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { agentQuery } from '../../shared/account/queries.ts';
import { ApiError } from '../../shared/api/api-error.ts';

/** The agent's current version, when a save was based on an older one. Null: another error. */
export function currentVersionOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'version_conflict') return null;
  return versionConflictDetailsSchema.safeParse(error.details).data?.current_version ?? null;
}

interface ConflictNoticeProps {
  readonly accountId: string;
  readonly agentId: string;
  readonly current: number;
  /** Keeps the user's input; the next save replaces the current version. */
  readonly onKeep: () => void;
}

/** Another member or tab saved the agent since this form opened. Nothing is lost before the user decides. */
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
          Your changes are not saved, but still in the form. Load version {current} and discard your changes, or keep
          editing and replace it when you save.
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={load}>
            Discard my changes and load version {current}
          </Button>
          <Button size="xs" variant="default" onClick={onKeep}>
            Keep my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

export function ReplacesNotice({ version }: { readonly version: number }) {
  return (
    <Alert color="orange" variant="light" icon={<IconGitMerge aria-hidden />} title="You are editing an older version">
      Saving replaces version {version} with your changes.
    </Alert>
  );
}
