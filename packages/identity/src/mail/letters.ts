import { dashboardLink } from '@outdial/contracts';
import type { Letter } from './mailer.ts';

export function passwordResetLetter(publicUrl: string, to: string, token: string): Letter {
  const link = dashboardLink(publicUrl, 'password_reset', token);
  const text = `Somebody asked to set another password for ${to} at Outdial.

To do so, open this link within an hour:

${link}

If it was not you, do nothing: your password stays as it is.
`;
  return { to, subject: 'Set another password', text, link };
}

export function emailVerificationLetter(publicUrl: string, to: string, token: string): Letter {
  const link = dashboardLink(publicUrl, 'email_verification', token);
  const text = `An account at Outdial was opened with the address ${to}.

To confirm that the address is yours, open this link within a day and sign in:

${link}

If you did not sign up, do nothing: nobody can use your address without this link.
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
  const text = `${oneLine(inviterName)} (${inviterEmail}) invites you to the account "${oneLine(accountName)}" at Outdial.

To join it as ${to}, open this link within seven days:

${link}

If you do not know what this is about, do nothing.
`;
  return { to, subject: 'You are invited to an account at Outdial', text, link };
}

/** Names are users' own words: none of them begins a line of its own in a letter from us. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
