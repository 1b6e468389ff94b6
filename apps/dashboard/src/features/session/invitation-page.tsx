import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import type { InvitationDetailsBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { sessionQuery } from '../../shared/session/session.ts';
import { IncompleteLink } from './incomplete-link.tsx';
import { PublicCard } from './public-card.tsx';
import { invitationQuery, useAcceptInvitation } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

export function InvitationPage() {
  const token = useLinkToken();
  return (
    <PublicCard title="Account invitation">
      {token === null ? <IncompleteLink /> : <Invitation token={token} />}
    </PublicCard>
  );
}

function Invitation({ token }: { readonly token: string }) {
  const session = useQuery(sessionQuery);
  const invitation = useQuery(invitationQuery(token));
  if (invitation.isError) {
    return <ErrorNotice title="This invitation is not valid" error={invitation.error} />;
  }
  if (session.isError) {
    return (
      <ErrorNotice title="Could not check your session" error={session.error} onRetry={() => void session.refetch()} />
    );
  }
  if (invitation.isPending || session.isPending) return <Skeleton h={120} />;
  return (
    <Stack>
      <Details invitation={invitation.data} />
      {session.data === null ? (
        <SignUpOrIn token={token} />
      ) : (
        <Accept token={token} email={session.data.user.email} invitedEmail={invitation.data.email} />
      )}
    </Stack>
  );
}

function Details({ invitation }: { readonly invitation: InvitationDetailsBody }) {
  const { account_name: account, invited_by: inviter, email, role } = invitation;
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      <b>{inviter.name}</b> ({inviter.email}) invited <b>{email}</b> to join <b>{account}</b> as{' '}
      {role === 'owner' ? 'an owner' : 'a member'}.
    </Text>
  );
}

function SignUpOrIn({ token }: { readonly token: string }) {
  const hash = tokenHash(token) ?? '';
  return (
    <>
      <LinkButton to="/sign-up" hash={hash} fullWidth>
        Create an account
      </LinkButton>
      <LinkButton to="/sign-in" hash={hash} variant="default" fullWidth>
        I already have an account
      </LinkButton>
    </>
  );
}

interface AcceptProps {
  readonly token: string;
  /** The signed-in user's address. */
  readonly email: string;
  readonly invitedEmail: string;
}

function Accept({ token, email, invitedEmail }: AcceptProps) {
  const accept = useAcceptInvitation();
  const isForAnotherUser = email !== invitedEmail;
  return (
    <>
      {accept.isError && <ErrorNotice title="Could not join the account" error={accept.error} />}
      {isForAnotherUser ? (
        <Alert color="orange" variant="light" title="This invitation is for another address">
          You are signed in as <b>{email}</b>. Sign in as <b>{invitedEmail}</b>, or ask for an invitation to your
          address.
        </Alert>
      ) : (
        <Button onClick={() => accept.mutate(token)} loading={accept.isPending} fullWidth>
          Accept invitation
        </Button>
      )}
      <LinkButton to="/" variant="default" fullWidth>
        Not now
      </LinkButton>
    </>
  );
}
