import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { doneSchema } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { request } from '../../shared/api/request.ts';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { drafts } from '../../shared/drafts/draft-store.ts';
import { markSignedOut } from '../../shared/session/sign-out.ts';

export function SignOutEverywhere() {
  const [isOpen, dialog] = useDisclosure(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  const signOut = useMutation({
    mutationFn: () => request({ method: 'DELETE', path: '/sessions', schema: doneSchema }),
    onSuccess: () => {
      drafts.clear();
      markSignedOut(queryClient);
      void router.navigate({ to: '/sign-in' });
    },
  });
  return (
    <Paper withBorder radius="lg" p="lg">
      <Group justify="space-between" wrap="wrap">
        <div>
          <Title order={2} size="h4">
            Sessions
          </Title>
          <Text size="sm" c="dimmed">
            Lost a device or used a shared one? End all sessions.
          </Text>
        </div>
        <Button variant="default" onClick={dialog.open}>
          Sign out everywhere
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        onConfirm={() => signOut.mutate()}
        action={signOut}
      >
        This ends your sessions in all browsers, including this one. API keys keep working.
      </ConfirmDialog>
    </Paper>
  );
}
