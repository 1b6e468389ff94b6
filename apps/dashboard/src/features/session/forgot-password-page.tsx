import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { requestPasswordResetSchema } from '@outdial/contracts';
import { IconMailCheck } from '@tabler/icons-react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { validateBy } from '../../shared/forms/field-errors.ts';
import { PublicCard } from './public-card.tsx';
import { useRequestPasswordReset } from './queries.ts';

export function ForgotPasswordPage() {
  const reset = useRequestPasswordReset();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: validateBy(requestPasswordResetSchema),
  });
  return (
    <PublicCard
      title="Forgot your password?"
      description="Enter your e-mail address, and we will send you a link to reset your password."
      footer={
        <LinkText to="/sign-in" size="sm">
          Back to sign in
        </LinkText>
      }
    >
      {reset.isSuccess ? (
        <Alert color="teal" variant="light" icon={<IconMailCheck aria-hidden />} title="Check your inbox" role="status">
          If a user with this address exists, we sent a reset link. If this installation does not send e-mail, ask your
          operator for the link.
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit(({ email }) => reset.mutate(email))} noValidate>
          <Stack>
            {reset.isError && <ErrorNotice title="Could not send the link" error={reset.error} />}
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={reset.isPending} fullWidth>
              Send reset link
            </Button>
          </Stack>
        </form>
      )}
    </PublicCard>
  );
}
