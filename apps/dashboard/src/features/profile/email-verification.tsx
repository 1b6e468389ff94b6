import { Alert, Button, Stack, Text } from '@mantine/core';
import { doneSchema } from '@outdial/contracts';
import { IconMailQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../shared/api/request.ts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';

/** For a user whose address may be anybody's: calls can be placed all the same, and nobody can be invited. */
export function EmailVerification({ email }: { readonly email: string }) {
  const send = useMutation({
    mutationFn: () => request({ method: 'POST', path: '/email-verifications', answer: doneSchema }),
  });
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconMailQuestion aria-hidden />}
      title="Your e-mail address is not confirmed"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Confirm <b>{email}</b> to invite people and to accept invitations. Placing calls works without it. If this
          installation sends no e-mail, ask your operator to verify the address.
        </Text>
        {send.isError && <ErrorNotice title="No link was sent" error={send.error} />}
        {send.isSuccess ? (
          <Text size="sm" fw={550} role="status">
            A link is on its way. It works for a day.
          </Text>
        ) : (
          <Button size="xs" variant="default" onClick={() => send.mutate()} loading={send.isPending}>
            Send the link again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
