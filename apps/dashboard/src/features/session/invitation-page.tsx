import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import type { InvitationDetailsBody } from '@outdial/contracts';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { sessionQuery } from '../../shared/session/session.ts';
import { OpenCard } from './open-card.tsx';
import { invitationQuery, useAcceptInvitation } from './queries.ts';
import { tokenHash, useLinkToken } from './use-link-token.ts';

export function InvitationPage() {
  const token = useLinkToken();
  return (
    <OpenCard title="You are invited">
      {token === null ? (
        <Alert color="orange" variant="light" icon={<IconLinkOff aria-hidden />} title="The link is not complete">
          Open it again from the e-mail, or copy all of it.
        </Alert>
      ) : (
        <Invitation token={token} />
      )}
    </OpenCard>
  );
}

function Invitation({ token }: { readonly token: string }) {
  const session = useQuery(sessionQuery);
  const invitation = useQuery(invitationQuery(token));
  if (invitation.isError) {
    return <ErrorNotice title="This invitation cannot be used" error={invitation.error} />;
  }
  if (session.isError) {
    return (
      <ErrorNotice
        title="Could not check who is signed in"
        error={session.error}
        onRetry={() => void session.refetch()}
      />
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
      <b>{inviter.name}</b> ({inviter.email}) invites <b>{email}</b> to join the account <b>{account}</b> as{' '}
      {role === 'owner' ? 'an owner' : 'a member'}.
    </Text>
  );
}

function SignUpOrIn({ token }: { readonly token: string }) {
  const hash = tokenHash(token) ?? '';
  return (
    <>
      <LinkButton to="/sign-up" hash={hash} fullWidth>
        I am new here: sign up
      </LinkButton>
      <LinkButton to="/sign-in" hash={hash} variant="default" fullWidth>
        I have a user: sign in
      </LinkButton>
    </>
  );
}

interface AcceptProps {
  readonly token: string;
  /** Of the user who has signed in. */
  readonly email: string;
  readonly invitedEmail: string;
}

function Accept({ token, email, invitedEmail }: AcceptProps) {
  const accept = useAcceptInvitation();
  const isForAnother = email !== invitedEmail;
  return (
    <>
      {accept.isError && <ErrorNotice title="You did not join" error={accept.error} />}
      {isForAnother ? (
        <Alert color="orange" variant="light" title="It is for another address">
          You are signed in as <b>{email}</b>. Sign out and use <b>{invitedEmail}</b>, or ask for an invitation to your
          address.
        </Alert>
      ) : (
        <Button onClick={() => accept.mutate(token)} loading={accept.isPending} fullWidth>
          Join the account
        </Button>
      )}
      <LinkButton to="/" variant="default" fullWidth>
        Not now
      </LinkButton>
    </>
  );
}
