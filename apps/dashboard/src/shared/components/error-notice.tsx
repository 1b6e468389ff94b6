import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';

interface ErrorNoticeProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What went wrong in words, what to tell the operator, and the way to try again. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  // Of use to the operator, where the fault is the service's.
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {(onRetry !== undefined || requestId !== undefined) && (
          <Group gap="md">
            {onRetry !== undefined && (
              <Button size="xs" variant="default" onClick={onRetry}>
                Try again
              </Button>
            )}
            {requestId !== undefined && (
              <Text size="xs">
                Request <Code>{requestId}</Code>
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** A sentence for people, of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it and try again.';
}
