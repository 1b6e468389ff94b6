import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updateOperatedAccountSchema, type OperatedAccountBody } from '@outdial/contracts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../../shared/forms/field-errors.ts';
import { Section } from '../section.tsx';
import { useUpdateAccount } from './queries.ts';

/**
 * The account's settings for operators. Saving sends only changed fields, because another operator may change others.
 */
export function AccountLimits({ account }: { readonly account: OperatedAccountBody }) {
  const update = useUpdateAccount(account.id);
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      name: account.name,
      capacity: account.capacity,
      max_duration_seconds: account.max_duration_seconds,
      ring_timeout_seconds: account.ring_timeout_seconds,
      may_use_system_number: account.may_use_system_number,
    },
    validate: validateBy(updateOperatedAccountSchema),
  });
  const submit = form.onSubmit((values) =>
    update.mutate(Object.fromEntries(Object.entries(values).filter(([name]) => form.isDirty(name))), {
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
      onSuccess: () => {
        form.resetDirty(values);
        notifyDone('Limits saved. They apply to new calls.');
      },
    }),
  );
  return (
    <Section title="Limits">
      <Paper withBorder p="lg" radius="lg" component="form" onSubmit={submit} noValidate>
        <Stack>
          {update.isError && <ErrorNotice title="Could not save the limits" error={update.error} />}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Name" {...form.getInputProps('name')} />
            <NumberInput
              label="Concurrent calls"
              description="Calls above this limit are rejected, or wait if their request says so."
              min={0}
              allowDecimal={false}
              {...form.getInputProps('capacity')}
            />
            <NumberInput
              label="Max duration (seconds)"
              min={5}
              max={7200}
              allowDecimal={false}
              {...form.getInputProps('max_duration_seconds')}
            />
            <NumberInput
              label="Ring timeout (seconds)"
              min={5}
              max={120}
              allowDecimal={false}
              {...form.getInputProps('ring_timeout_seconds')}
            />
          </SimpleGrid>
          <Switch
            label="Allow calls from the system number"
            description="Used if the account has no number."
            {...form.getInputProps('may_use_system_number', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
              Save limits
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Section>
  );
}
