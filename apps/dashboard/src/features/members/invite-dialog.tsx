import { Button, Code, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createInvitationSchema, ROLES, type Role } from '@outdial/contracts';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { useInvite } from './queries.ts';
import { ROLE_WORDS } from './role-words.ts';

interface InviteDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function InviteDialog({ accountId, isOpen, onClose }: InviteDialogProps) {
  const invite = useInvite(accountId);
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <Modal opened={isOpen} onClose={close} title="Invite member" size="lg">
      {invite.data === undefined ? (
        <InviteForm invite={invite} onCancel={close} />
      ) : (
        <InvitationLink email={invite.data.invitation.email} link={invite.data.link} onDone={close} />
      )}
    </Modal>
  );
}

interface InviteFormProps {
  readonly invite: ReturnType<typeof useInvite>;
  readonly onCancel: () => void;
}

function InviteForm({ invite, onCancel }: InviteFormProps) {
  const form = useForm<{ email: string; role: Role }>({
    mode: 'uncontrolled',
    initialValues: { email: '', role: 'member' },
    validate: validateBy(createInvitationSchema),
  });
  const submit = form.onSubmit((values) =>
    invite.mutate(values, { onError: (error) => form.setErrors(fieldErrorsOf(error)) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {invite.isError && <ErrorNotice title="Could not send the invitation" error={invite.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label="Role"
          description="Members place calls and edit agents. Owners also manage members, API keys and numbers."
          data={ROLES.toReversed().map((role) => ({ value: role, label: ROLE_WORDS[role] }))}
          key={form.key('role')}
          {...form.getInputProps('role')}
        />
        <DialogButtons label="Send invitation" isPending={invite.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface InvitationLinkProps {
  readonly email: string;
  readonly link: string;
  readonly onDone: () => void;
}

function InvitationLink({ email, link, onDone }: InvitationLinkProps) {
  return (
    <Stack>
      <Text size="sm" role="status">
        You invited <b>{email}</b>. If this installation sends e-mail, we sent them this link. You can also share it
        yourself. It works once.
      </Text>
      <Group wrap="nowrap" gap="xs">
        <Code block flex={1} style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
          {link}
        </Code>
        <CopyText text={link} label="Copy link" />
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
