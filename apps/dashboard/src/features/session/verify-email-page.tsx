import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { sessionQuery } from '../../shared/session/session.ts';
import { IncompleteLink } from './incomplete-link.tsx';
import { PublicCard } from './public-card.tsx';
import { useVerifyEmail } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

/** The target of the link in the confirmation e-mail. Only its user, signed in, can use it. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const session = useQuery(sessionQuery);
  return (
    <PublicCard title="Confirm your e-mail address" description="This proves that the address is yours.">
      {token === null && <IncompleteLink />}
      {token !== null && session.isPending && <Skeleton h={80} />}
      {token !== null && session.isError && (
        <ErrorNotice
          title="Could not check your session"
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      )}
      {token !== null && session.isSuccess && session.data === null && <SignInFirst token={token} />}
      {token !== null && session.data && <Confirm token={token} email={session.data.user.email} />}
    </PublicCard>
  );
}

function SignInFirst({ token }: { readonly token: string }) {
  return (
    <Stack>
      <Text size="sm">Sign in with the address that received the e-mail, then confirm it.</Text>
      <LinkButton to="/sign-in" search={{ link: 'email_verification' }} hash={tokenHash(token) ?? ''} fullWidth>
        Sign in
      </LinkButton>
    </Stack>
  );
}

function Confirm({ token, email }: { readonly token: string; readonly email: string }) {
  const verify = useVerifyEmail();
  if (verify.isSuccess) {
    return (
      <Stack>
        <Alert color="teal" variant="light" title="E-mail address confirmed" role="status">
          You can now invite members to your account.
        </Alert>
        <LinkButton to="/" fullWidth>
          Go to dashboard
        </LinkButton>
      </Stack>
    );
  }
  return (
    <Stack>
      {verify.isError && <ErrorNotice title="Could not confirm your address" error={verify.error} />}
      <Text>
        You are signed in as <b>{email}</b>.
      </Text>
      <Button onClick={() => verify.mutate(token)} loading={verify.isPending} fullWidth>
        Confirm address
      </Button>
    </Stack>
  );
}
