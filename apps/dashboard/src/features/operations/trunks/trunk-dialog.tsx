import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { addTrunkSchema, updateTrunkSchema, type OperatedTrunkBody } from '@outdial/contracts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import type { DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { useChangeTrunk } from './queries.ts';
import { TrunkFields } from './trunk-fields.tsx';
import { addedOf, changesOf, fieldOf, valuesOf, type TrunkValues } from './trunk-form.ts';

/** `new`: the dialog adds a trunk. */
export type TrunkSubject = OperatedTrunkBody | 'new';

interface TrunkDialogProps {
  readonly dialog: DialogAbout<TrunkSubject>;
  readonly canSetPasswords: boolean;
}

export function TrunkDialog({ dialog, canSetPasswords }: TrunkDialogProps) {
  const { subject, isOpen, close } = dialog;
  const trunk = subject === 'new' ? null : subject;
  return (
    <Modal opened={isOpen} onClose={close} title={trunk === null ? 'Add trunk' : `Edit ${trunk.name}`} size="lg">
      {subject !== null && <TrunkForm trunk={trunk} canSetPasswords={canSetPasswords} onDone={close} />}
    </Modal>
  );
}

interface TrunkFormProps {
  readonly trunk: OperatedTrunkBody | null;
  readonly canSetPasswords: boolean;
  readonly onDone: () => void;
}

function byField(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([path, words]) => [fieldOf(path), words]));
}

function TrunkForm({ trunk, canSetPasswords, onDone }: TrunkFormProps) {
  const change = useChangeTrunk();
  const form = useForm<TrunkValues>({
    mode: 'controlled',
    initialValues: valuesOf(trunk),
    validate: (values) =>
      byField(
        trunk === null
          ? validateBy(addTrunkSchema)(addedOf(values))
          : validateBy(updateTrunkSchema)(changesOf(values, trunk)),
      ),
  });
  const submit = form.onSubmit((values) =>
    change.mutate(
      trunk === null
        ? { kind: 'add', trunk: addedOf(values) }
        : { kind: 'update', name: trunk.name, changes: changesOf(values, trunk) },
      {
        onError: (error) => form.setErrors(byField(fieldErrorsOf(error))),
        onSuccess: () => {
          onDone();
          notifyDone(trunk === null ? `Trunk ${values.name.trim()} added.` : `Trunk ${trunk.name} saved.`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {change.isError && <ErrorNotice title="Could not save the trunk" error={change.error} />}
        {trunk === null && (
          <TextInput
            label="Name"
            description="Lowercase letters, digits and hyphens. You cannot change it later."
            placeholder="main"
            data-autofocus
            {...form.getInputProps('name')}
          />
        )}
        <TrunkFields
          form={form}
          hasPassword={trunk?.username !== null && trunk !== null}
          canSetPasswords={canSetPasswords}
        />
        <DialogButtons
          label={trunk === null ? 'Add trunk' : 'Save trunk'}
          isPending={change.isPending}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
