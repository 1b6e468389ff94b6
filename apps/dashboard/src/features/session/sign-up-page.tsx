import { Alert, Button, PasswordInput, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PASSWORD_LENGTH, signUpSchema } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { IconLock } from '@tabler/icons-react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { serviceQuery } from '../../shared/session/service.ts';
import { PublicCard } from './public-card.tsx';
import { invitationQuery, useSignUp } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

export function SignUpPage() {
  const token = useLinkToken();
  const service = useQuery(serviceQuery);
  const isClosed = token === null && service.data?.sign_up === 'invited';
  const hash = tokenHash(token);
  const footer = (
    <>
      Already have an account?{' '}
      <LinkText to="/sign-in" {...(hash === undefined ? {} : { hash })} size="sm" underline="always">
        Sign in
      </LinkText>
    </>
  );
  return (
    <PublicCard
      title={token === null ? 'Sign up' : 'Join your team'}
      description={token === null ? 'Create a new account.' : 'You were invited to join an account.'}
      footer={footer}
    >
      {isClosed ? (
        <Alert variant="light" icon={<IconLock aria-hidden />} title="Sign-up is by invitation only">
          Ask an account owner to invite you, then open the link you receive.
        </Alert>
      ) : (
        <SignUpBody token={token} />
      )}
    </PublicCard>
  );
}

/** An invitation is for one address: the form starts with it, once it is loaded. */
function SignUpBody({ token }: { readonly token: string | null }) {
  const invitation = useQuery({ ...invitationQuery(token ?? ''), enabled: token !== null });
  if (token === null) return <SignUpForm invitation={null} invitedEmail={null} />;
  if (invitation.isPending) return <Skeleton h={240} />;
  // The sign-up request itself reports an invalid invitation.
  return <SignUpForm invitation={token} invitedEmail={invitation.data?.email ?? null} />;
}

interface SignUpFormProps {
  readonly invitation: string | null;
  /** The only address that the invitation is valid for. */
  readonly invitedEmail: string | null;
}

function SignUpForm({ invitation, invitedEmail }: SignUpFormProps) {
  const signUp = useSignUp('/');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: invitedEmail ?? '', password: '', account_name: '' },
    validate: (values) => validateBy(signUpSchema)(bodyOf(values, invitation)),
  });
  const submit = form.onSubmit((values) =>
    signUp.mutate(bodyOf(values, invitation), { onError: (error) => form.setErrors(fieldErrorsOf(error)) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {signUp.isError && <ErrorNotice title="Could not sign up" error={signUp.error} />}
        <TextInput label="Your name" autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          readOnly={invitedEmail !== null}
          description={invitedEmail === null ? undefined : 'Your invitation is for this address.'}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_LENGTH.min} characters`}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {invitation === null && (
          <TextInput
            label="Account name"
            description="Optional. Your company or team."
            autoComplete="organization"
            key={form.key('account_name')}
            {...form.getInputProps('account_name')}
          />
        )}
        <Button type="submit" loading={signUp.isPending} mt="xs" fullWidth>
          Sign up
        </Button>
      </Stack>
    </form>
  );
}

interface Values {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly account_name: string;
}

function bodyOf({ name, email, password, account_name: accountName }: Values, invitation: string | null) {
  return {
    name,
    email,
    password,
    ...(accountName.trim() === '' ? {} : { account_name: accountName }),
    ...(invitation === null ? {} : { invitation }),
  };
}
