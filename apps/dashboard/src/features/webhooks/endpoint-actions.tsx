import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpointBody } from '@outdial/contracts';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { notifyDone, notifyFailure } from '../../shared/components/notify.tsx';
import { useDeleteEndpoint, useRotateSecret, useSendTest, useUpdateEndpoint } from './queries.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretShown } from './secret-shown.tsx';

interface EndpointActionsProps {
  readonly accountId: string;
  readonly endpoint: WebhookEndpointBody;
}

export function EndpointActions({ accountId, endpoint }: EndpointActionsProps) {
  const isEnabled = endpoint.state === 'enabled';
  const test = useSendTest(accountId, endpoint.id);
  const [isReplaying, replaying] = useDisclosure(false);
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => notifyDone('A test message is on its way.'),
      onError: (error) => notifyFailure('Could not send the test message', messageOf(error)),
    });
  return (
    <>
      {isEnabled && (
        <>
          <Button onClick={sendTest} loading={test.isPending}>
            Send test
          </Button>
          <Button variant="default" onClick={replaying.open}>
            Replay since…
          </Button>
        </>
      )}
      <RotateSecret accountId={accountId} endpoint={endpoint} />
      <SwitchState accountId={accountId} endpoint={endpoint} />
      <DeleteEndpoint accountId={accountId} endpoint={endpoint} />
      <ReplayDialog accountId={accountId} endpointId={endpoint.id} isOpen={isReplaying} onClose={replaying.close} />
    </>
  );
}

function RotateSecret({ accountId, endpoint }: EndpointActionsProps) {
  const rotate = useRotateSecret(accountId, endpoint.id);
  const [isAsking, asking] = useDisclosure(false);
  const { data } = rotate;
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        Rotate secret
      </Button>
      <ConfirmDialog
        isOpen={isAsking && data === undefined}
        onClose={asking.close}
        title="Rotate the secret?"
        confirmLabel="Rotate secret"
        onConfirm={() => rotate.mutate(undefined, { onSuccess: asking.close })}
        action={rotate}
      >
        You get a new secret. For 24 hours each request is signed with both, so that your receiver can change over.
      </ConfirmDialog>
      <Modal
        opened={data !== undefined}
        onClose={rotate.reset}
        title="New secret"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {data !== undefined && <SecretShown secret={data.secret} onDone={rotate.reset} />}
      </Modal>
    </>
  );
}

function SwitchState({ accountId, endpoint }: EndpointActionsProps) {
  const update = useUpdateEndpoint(accountId, endpoint.id);
  const [isAsking, asking] = useDisclosure(false);
  const enable = () =>
    update.mutate(
      { state: 'enabled' },
      {
        onSuccess: () => notifyDone('Endpoint enabled. What it missed is sent by a replay.'),
        onError: (error) => notifyFailure('Could not enable the endpoint', messageOf(error)),
      },
    );
  if (endpoint.state === 'disabled') {
    return (
      <Button variant="default" onClick={enable} loading={update.isPending}>
        Enable
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        Disable
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title="Disable this endpoint?"
        confirmLabel="Disable endpoint"
        onConfirm={() => update.mutate({ state: 'disabled' }, { onSuccess: asking.close })}
        action={update}
      >
        It receives nothing from now on, and what is pending is dropped. A replay sends what it missed.
      </ConfirmDialog>
    </>
  );
}

function DeleteEndpoint({ accountId, endpoint }: EndpointActionsProps) {
  const remove = useDeleteEndpoint(accountId, endpoint.id);
  const navigate = useNavigate();
  const [isAsking, asking] = useDisclosure(false);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notifyDone('Endpoint deleted.');
        void navigate({ to: '/accounts/$accountId/webhooks', params: { accountId } });
      },
    });
  return (
    <>
      <Button variant="default" color="red" onClick={asking.open}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title="Delete this endpoint?"
        confirmLabel="Delete endpoint"
        onConfirm={confirm}
        action={remove}
      >
        What is pending is dropped, and the secret is deleted. You cannot undo this.
      </ConfirmDialog>
    </>
  );
}
