import { Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { perCallSecretQuery, useMakePerCallSecret } from './queries.ts';
import { SecretShown } from './secret-shown.tsx';

interface PerCallSecretProps {
  readonly accountId: string;
  readonly isOwner: boolean;
}

/** The secret that signs what is sent to the `webhook_url` of calls. */
export function PerCallSecret({ accountId, isOwner }: PerCallSecretProps) {
  const secret = useQuery(perCallSecretQuery(accountId));
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Per-call URLs
        </Title>
        <Text size="sm">
          A request to place a call may name a webhook_url, which receives the webhooks of this call. One secret signs
          them all.
        </Text>
        <Loaded query={secret} what="the secret’s state" skeleton={<PanelSkeleton lines={1} />}>
          {({ made_at: madeAt }) => (
            <Group justify="space-between">
              <Text size="sm">
                {madeAt === null ? (
                  'No secret yet.'
                ) : (
                  <>
                    Secret made: <DateTime at={madeAt} />
                  </>
                )}
              </Text>
              {isOwner && <MakeSecret accountId={accountId} isFirst={madeAt === null} />}
            </Group>
          )}
        </Loaded>
      </Stack>
    </Paper>
  );
}

function MakeSecret({ accountId, isFirst }: { readonly accountId: string; readonly isFirst: boolean }) {
  const make = useMakePerCallSecret(accountId);
  const [isAsking, asking] = useDisclosure(false);
  const label = isFirst ? 'Make secret' : 'Replace secret';
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking && make.data === undefined}
        onClose={asking.close}
        title={isFirst ? 'Make the secret for per-call URLs?' : 'Replace the secret for per-call URLs?'}
        confirmLabel={label}
        onConfirm={() => make.mutate(undefined, { onSuccess: asking.close })}
        action={make}
      >
        {isFirst
          ? 'It signs what is sent to per-call URLs.'
          : 'For 24 hours both secrets sign, so that your programs may have either.'}
      </ConfirmDialog>
      <Modal
        opened={make.data !== undefined}
        onClose={make.reset}
        title="New secret"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {make.data !== undefined && <SecretShown secret={make.data.secret} onDone={make.reset} />}
      </Modal>
    </>
  );
}
