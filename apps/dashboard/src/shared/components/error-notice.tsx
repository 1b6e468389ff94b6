import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';

interface ErrorNoticeProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Says what went wrong, offers a retry, and shows the request ID to give to the operator. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  // Only for server errors: the operator can look up the request.
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
                Request ID <Code>{requestId}</Code>
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** A sentence for the user, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Reload the page and try again.';
}
