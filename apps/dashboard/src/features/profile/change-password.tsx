import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { changePasswordSchema, doneSchema, PASSWORD_LENGTH } from '@outdial/contracts';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../shared/api/request.ts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';

interface Passwords {
  readonly current_password: string;
  readonly new_password: string;
}

export function ChangePassword({ email }: { readonly email: string }) {
  const change = useMutation({
    mutationFn: (body: Passwords) => request({ method: 'PUT', path: '/password', body, schema: doneSchema }),
  });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current_password: '', new_password: '' },
    validate: validateBy(changePasswordSchema),
  });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset();
        notifyDone('Password changed. You are signed out everywhere else.');
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <Paper withBorder radius="lg" p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} size="h4">
              Password
            </Title>
            <Text size="sm" c="dimmed">
              Changing your password signs you out everywhere else.
            </Text>
          </div>
          {change.isError && <ErrorNotice title="Could not change your password" error={change.error} />}
          {/* The browser's password manager stores the password for this user. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            description={`At least ${PASSWORD_LENGTH.min} characters`}
            autoComplete="new-password"
            key={form.key('new_password')}
            {...form.getInputProps('new_password')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
