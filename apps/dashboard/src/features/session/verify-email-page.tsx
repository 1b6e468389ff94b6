import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { sessionQuery } from '../../shared/session/session.ts';
import { OpenCard } from './open-card.tsx';
import { useVerifyEmail } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

/** Where the link leads that was sent to a new user's address. Only that user, signed in, can use it. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const session = useQuery(sessionQuery);
  return (
    <OpenCard title="Confirm your e-mail address" description="It shows others that the address is yours.">
      {token === null && (
        <Alert color="orange" variant="light" icon={<IconLinkOff aria-hidden />} title="The link is not complete">
          Open it again from the e-mail, or copy all of it.
        </Alert>
      )}
      {token !== null && session.isPending && <Skeleton h={80} />}
      {token !== null && session.isError && (
        <ErrorNotice
          title="Could not check who is signed in"
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      )}
      {token !== null && session.isSuccess && session.data === null && <SignInFirst token={token} />}
      {token !== null && session.data && <Confirm token={token} email={session.data.user.email} />}
    </OpenCard>
  );
}

function SignInFirst({ token }: { readonly token: string }) {
  return (
    <Stack>
      <Text size="sm">Sign in with the address that the e-mail came to, then confirm it.</Text>
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
        <Alert color="teal" variant="light" title="Your address is confirmed" role="status">
          You can now invite people to your account.
        </Alert>
        <LinkButton to="/" fullWidth>
          To the dashboard
        </LinkButton>
      </Stack>
    );
  }
  return (
    <Stack>
      {verify.isError && <ErrorNotice title="Your address was not confirmed" error={verify.error} />}
      <Text>
        You are signed in as <b>{email}</b>.
      </Text>
      <Button onClick={() => verify.mutate(token)} loading={verify.isPending} fullWidth>
        Confirm this address
      </Button>
    </Stack>
  );
}
