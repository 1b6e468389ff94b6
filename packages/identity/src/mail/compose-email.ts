import { unreachable } from '@outdial/kernel';
import type { EmailContent } from './email-content.ts';
import { emailVerificationEmail, invitationEmail, passwordResetEmail } from './emails.ts';
import type { Email } from './mailer.ts';

export interface ComposeDeps {
  /** Base URL of the dashboard, without a trailing slash. */
  readonly publicUrl: () => string;
  /** A new link for the user of this address. Null: no user has it. */
  readonly createPasswordReset: (email: string) => Promise<string | null>;
  /** Whether the links still work. */
  readonly isVerificationValid: (userId: string, token: string) => Promise<boolean>;
  readonly isInvitationValid: (token: string) => Promise<boolean>;
}

/** Writes the words. Null: its link was used, replaced or withdrawn, so the e-mail is dropped. */
export type ComposeEmail = (content: EmailContent) => Promise<Email | null>;

export function createComposer(deps: ComposeDeps): ComposeEmail {
  const { publicUrl, createPasswordReset, isVerificationValid, isInvitationValid } = deps;
  return async (content) => {
    switch (content.kind) {
      case 'password_reset': {
        const token = await createPasswordReset(content.to);
        return token === null ? null : passwordResetEmail(publicUrl(), content.to, token);
      }
      case 'email_verification': {
        const { userId, to, token } = content;
        return (await isVerificationValid(userId, token)) ? emailVerificationEmail(publicUrl(), to, token) : null;
      }
      case 'invitation': {
        const { to, token, ...names } = content;
        return (await isInvitationValid(token)) ? invitationEmail(publicUrl(), to, token, names) : null;
      }
      default:
        return unreachable(content);
    }
  };
}
