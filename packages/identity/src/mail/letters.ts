import { dashboardLink } from '@outdial/contracts';
import type { Letter } from './mailer.ts';

export function passwordResetLetter(publicUrl: string, to: string, token: string): Letter {
  const link = dashboardLink(publicUrl, 'password_reset', token);
  const text = `We received a request to reset the Outdial password for ${to}.

To choose a new password, open this link within one hour:

${link}

If you did not request this, ignore this e-mail. Your password stays the same.
`;
  return { to, subject: 'Reset your Outdial password', text, link };
}

export function emailVerificationLetter(publicUrl: string, to: string, token: string): Letter {
  const link = dashboardLink(publicUrl, 'email_verification', token);
  const text = `Welcome to Outdial. You signed up as ${to}.

To confirm your e-mail address, open this link within one day and sign in:

${link}

If you did not sign up, ignore this e-mail. The address stays unconfirmed without this link.
`;
  return { to, subject: 'Confirm your e-mail address', text, link };
}

export interface InvitationText {
  readonly accountName: string;
  readonly inviterName: string;
  readonly inviterEmail: string;
}

export function invitationLetter(
  publicUrl: string,
  to: string,
  token: string,
  { accountName, inviterName, inviterEmail }: InvitationText,
): Letter {
  const link = dashboardLink(publicUrl, 'invitation', token);
  const text = `${oneLine(inviterName)} (${inviterEmail}) invited you to join the account "${oneLine(accountName)}" on Outdial.

To accept as ${to}, open this link within seven days:

${link}

If you did not expect this invitation, ignore this e-mail.
`;
  return { to, subject: 'You are invited to join an Outdial account', text, link };
}

/** Keeps a user-supplied name on one line, so that it cannot add lines to our e-mail. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
