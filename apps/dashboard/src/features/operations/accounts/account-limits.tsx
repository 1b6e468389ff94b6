import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updateOperatedAccountSchema, type OperatedAccountBody } from '@outdial/contracts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { refusedFields, validateBy } from '../../../shared/forms/field-errors.ts';
import { Section } from '../section.tsx';
import { useUpdateAccount } from './queries.ts';

/** What an operator sets of an account. Saving sends only what was changed: another operator may change the rest. */
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
      onError: (error) => form.setErrors(refusedFields(error)),
      onSuccess: () => {
        form.resetDirty(values);
        notifyDone('The limits are saved. They apply to new calls.');
      },
    }),
  );
  return (
    <Section title="Limits">
      <Paper withBorder p="lg" radius="lg" component="form" onSubmit={submit} noValidate>
        <Stack>
          {update.isError && <ErrorNotice title="The limits were not saved" error={update.error} />}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Name" {...form.getInputProps('name')} />
            <NumberInput
              label="Calls at once"
              description="Further calls are refused until one ends."
              min={0}
              allowDecimal={false}
              {...form.getInputProps('capacity')}
            />
            <NumberInput
              label="Longest call, in seconds"
              min={5}
              max={7200}
              allowDecimal={false}
              {...form.getInputProps('max_duration_seconds')}
            />
            <NumberInput
              label="Longest ringing, in seconds"
              min={5}
              max={120}
              allowDecimal={false}
              {...form.getInputProps('ring_timeout_seconds')}
            />
          </SimpleGrid>
          <Switch
            label="May call from the system number"
            description="Used when the account has no number of its own."
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
