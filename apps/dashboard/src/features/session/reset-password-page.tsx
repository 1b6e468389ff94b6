import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { completePasswordResetSchema, PASSWORD_LENGTH } from '@outdial/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { sessionQuery } from '../../shared/session/session.ts';
import { IncompleteLink } from './incomplete-link.tsx';
import { PublicCard } from './public-card.tsx';
import { useCompletePasswordReset } from './queries.ts';
import { useLinkToken } from './use-link-token.ts';

export function ResetPasswordPage() {
  const token = useLinkToken();
  return (
    <PublicCard
      title="Choose a new password"
      description="Changing your password signs you out everywhere."
      footer={
        <LinkText to="/forgot-password" size="sm">
          Send another link
        </LinkText>
      }
    >
      {token === null ? <IncompleteLink /> : <ResetForm token={token} />}
    </PublicCard>
  );
}

function ResetForm({ token }: { readonly token: string }) {
  const reset = useCompletePasswordReset();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: (values) => validateBy(completePasswordResetSchema)({ token, ...values }),
  });
  const submit = form.onSubmit(({ password }) =>
    reset.mutate(
      { token, password },
      {
        onSuccess: () => {
          // Every session of the user has ended, including this browser's.
          queryClient.setQueryData(sessionQuery.queryKey, null);
          void router.navigate({ to: '/sign-in', search: { notice: 'password-changed' }, replace: true });
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {reset.isError && <ErrorNotice title="Could not change your password" error={reset.error} />}
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_LENGTH.min} characters`}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={reset.isPending} fullWidth>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
