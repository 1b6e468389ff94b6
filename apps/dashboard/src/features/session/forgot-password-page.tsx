import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { requestPasswordResetSchema } from '@outdial/contracts';
import { IconMailCheck } from '@tabler/icons-react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { validateBy } from '../../shared/forms/field-errors.ts';
import { OpenCard } from './open-card.tsx';
import { useRequestPasswordReset } from './queries.ts';

export function ForgotPasswordPage() {
  const reset = useRequestPasswordReset();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: validateBy(requestPasswordResetSchema),
  });
  return (
    <OpenCard
      title="Forgot your password?"
      description="Tell your e-mail address, and a link to choose a new one is sent there."
      footer={
        <LinkText to="/sign-in" size="sm">
          Back to the sign-in
        </LinkText>
      }
    >
      {reset.isSuccess ? (
        <Alert
          color="teal"
          variant="light"
          icon={<IconMailCheck aria-hidden />}
          title="Look into your mail"
          role="status"
        >
          If there is a user of this address, a link is on its way. An installation that sends no mail writes the link
          to its log: ask its operator.
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit(({ email }) => reset.mutate(email))} noValidate>
          <Stack>
            {reset.isError && <ErrorNotice title="No link was sent" error={reset.error} />}
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={reset.isPending} fullWidth>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </OpenCard>
  );
}
