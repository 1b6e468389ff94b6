import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { sessionQuery } from '../../shared/session/session.ts';
import { OpenCard } from './open-card.tsx';
import { useAcceptInvitation } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

export function InvitationPage() {
  const token = useLinkToken();
  const session = useQuery(sessionQuery);
  return (
    <OpenCard title="You are invited" description="Somebody asks you to join their account at Outdial.">
      {token === null && (
        <Alert color="orange" variant="light" icon={<IconLinkOff aria-hidden />} title="The link is not complete">
          Open it again from the mail, or copy all of it.
        </Alert>
      )}
      {token !== null && session.isPending && <Skeleton h={80} />}
      {token !== null && session.isError && (
        <ErrorNotice title="Could not look who you are" error={session.error} onRetry={() => void session.refetch()} />
      )}
      {token !== null && session.isSuccess && session.data === null && <WhoAreYou token={token} />}
      {token !== null && session.data && <Accept token={token} email={session.data.user.email} />}
    </OpenCard>
  );
}

function WhoAreYou({ token }: { readonly token: string }) {
  const hash = tokenHash(token) ?? '';
  return (
    <Stack>
      <LinkButton to="/sign-up" hash={hash} fullWidth>
        I am new here: sign up
      </LinkButton>
      <LinkButton to="/sign-in" hash={hash} variant="default" fullWidth>
        I have a user: sign in
      </LinkButton>
    </Stack>
  );
}

function Accept({ token, email }: { readonly token: string; readonly email: string }) {
  const accept = useAcceptInvitation();
  return (
    <Stack>
      {accept.isError && <ErrorNotice title="You did not join" error={accept.error} />}
      <Text>
        You are signed in as <b>{email}</b>.
      </Text>
      <Button onClick={() => accept.mutate(token)} loading={accept.isPending} fullWidth>
        Join the account
      </Button>
      <LinkButton to="/" variant="default" fullWidth>
        Not now
      </LinkButton>
    </Stack>
  );
}
