import { dashboardLink } from '@outdial/contracts';
import type { Email } from './mailer.ts';

export function passwordResetEmail(publicUrl: string, to: string, token: string): Email {
  const link = dashboardLink(publicUrl, 'password_reset', token);
  const text = `We received a request to reset the password for ${to} at Outdial.

To set a new password, open this link within an hour:

${link}

If you did not request this, ignore this e-mail. Your password will not change.
`;
  return { to, subject: 'Reset your password', text, link };
}

export function emailVerificationEmail(publicUrl: string, to: string, token: string): Email {
  const link = dashboardLink(publicUrl, 'email_verification', token);
  const text = `An Outdial account was created with the address ${to}.

To confirm that the address is yours, open this link within a day and sign in:

${link}

If you did not sign up, ignore this e-mail. Your address cannot be confirmed without this link.
`;
  return { to, subject: 'Confirm your e-mail address', text, link };
}

export interface InvitationText {
  readonly accountName: string;
  readonly inviterName: string;
  readonly inviterEmail: string;
}

export function invitationEmail(
  publicUrl: string,
  to: string,
  token: string,
  { accountName, inviterName, inviterEmail }: InvitationText,
): Email {
  const link = dashboardLink(publicUrl, 'invitation', token);
  const text = `${oneLine(inviterName)} (${inviterEmail}) invited you to the account "${oneLine(accountName)}" at Outdial.

To join it as ${to}, open this link within seven days:

${link}

If you were not expecting this invitation, ignore this e-mail.
`;
  return { to, subject: 'You have been invited to an Outdial account', text, link };
}

/** Names are user input: a line break in one would let a user add lines to our e-mail. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
