import { Alert, Button, Stack, Text } from '@mantine/core';
import { doneSchema } from '@outdial/contracts';
import { IconMailQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../shared/api/request.ts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';

/** Shown while the user's address is unconfirmed. The user can place calls, but cannot invite members. */
export function EmailVerification({ email }: { readonly email: string }) {
  const send = useMutation({
    mutationFn: () => request({ method: 'POST', path: '/email-verifications', schema: doneSchema }),
  });
  return (
    <Alert color="orange" variant="light" icon={<IconMailQuestion aria-hidden />} title="Confirm your e-mail address">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Confirm <b>{email}</b> to invite members and accept invitations. You can place calls without it. If this
          installation does not send e-mail, ask your operator to confirm the address.
        </Text>
        {send.isError && <ErrorNotice title="Could not send the link" error={send.error} />}
        {send.isSuccess ? (
          <Text size="sm" fw={550} role="status">
            We sent you a link. It is valid for one day.
          </Text>
        ) : (
          <Button size="xs" variant="default" onClick={() => send.mutate()} loading={send.isPending}>
            Resend link
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
