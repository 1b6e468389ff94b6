import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { LINK_PATHS, signInSchema } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { validateBy } from '../../shared/forms/field-errors.ts';
import { serviceQuery } from '../../shared/session/service.ts';
import { PublicCard } from './public-card.tsx';
import { useSignIn } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

const route = getRouteApi('/public/sign-in');

export function SignInPage() {
  const { next, notice, link } = route.useSearch();
  const token = useLinkToken();
  const hash = tokenHash(token);
  // After sign-in the user continues with the link.
  const signIn = useSignIn(hash === undefined ? (next ?? '/') : `${LINK_PATHS[link ?? 'invitation']}#${hash}`);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: validateBy(signInSchema),
  });

  return (
    <PublicCard title="Sign in" footer={<SignUpHint hash={link === undefined ? hash : undefined} />}>
      {notice === 'password-changed' && !signIn.isError && (
        <Alert color="teal" variant="light">
          Password changed. Sign in with your new password.
        </Alert>
      )}
      {signIn.isError && <ErrorNotice title="Could not sign in" error={signIn.error} />}
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            data-autofocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending} mt="xs" fullWidth>
            Sign in
          </Button>
          <Group justify="center">
            <LinkText to="/forgot-password" size="sm">
              Forgot your password?
            </LinkText>
          </Group>
        </Stack>
      </form>
    </PublicCard>
  );
}

function SignUpHint({ hash }: { readonly hash: string | undefined }) {
  const service = useQuery(serviceQuery);
  if (hash === undefined && service.data?.sign_up !== 'open') return 'New here? Ask an account owner to invite you.';
  return (
    <>
      No account yet?{' '}
      <LinkText to="/sign-up" {...(hash === undefined ? {} : { hash })} size="sm" underline="always">
        Sign up
      </LinkText>
    </>
  );
}
