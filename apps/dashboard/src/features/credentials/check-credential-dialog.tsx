import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { CredentialBody } from '@outdial/contracts';
import { useState } from 'react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { TONE_COLORS } from '../../shared/words/tone.ts';
import { CHECK_WORDS } from '../../shared/words/check-words.ts';
import { useCheckCredential } from './queries.ts';

interface CheckCredentialDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<CredentialBody>;
}

/** Asks the provider whether it accepts the key, and has a model. */
export function CheckCredentialDialog({ accountId, dialog }: CheckCredentialDialogProps) {
  const { subject: credential, isOpen, close } = dialog;
  return (
    <Modal opened={isOpen} onClose={close} title={credential === null ? '' : `Check “${credential.name}”`}>
      {credential !== null && <CheckForm accountId={accountId} credential={credential} onClose={close} />}
    </Modal>
  );
}

interface CheckFormProps {
  readonly accountId: string;
  readonly credential: CredentialBody;
  readonly onClose: () => void;
}

function CheckForm({ accountId, credential, onClose }: CheckFormProps) {
  const check = useCheckCredential(accountId);
  const [model, setModel] = useState('');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate({ id: credential.id, model: model.trim() });
      }}
    >
      <Stack>
        <Text size="sm">This sends the provider one request, which costs nothing.</Text>
        <TextInput
          label="Model"
          description="Optional. Also asks whether the provider has this model."
          autoComplete="off"
          data-autofocus
          value={model}
          onChange={({ currentTarget }) => setModel(currentTarget.value)}
        />
        <div aria-live="polite">
          {check.isError && <ErrorNotice title="Could not check the credential" error={check.error} />}
          {check.data !== undefined && <Found check={check.data.check} />}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
          <Button type="submit" loading={check.isPending}>
            Check credential
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Check = NonNullable<ReturnType<typeof useCheckCredential>['data']>['check'];

function Found({ check: { result, message } }: { readonly check: Check }) {
  const { label, meaning, tone } = CHECK_WORDS[result];
  return (
    <Alert variant="light" color={TONE_COLORS[tone]} title={label}>
      <Stack gap="xs">
        <Text size="sm">{meaning}</Text>
        {/* The service knows the reason, such as a timeout. */}
        {result === 'unreachable' && <Text size="sm">{message}</Text>}
      </Stack>
    </Alert>
  );
}
