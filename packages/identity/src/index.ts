export { createIdentity, type Identity } from './identity.ts';
export type { SignUpOutcome } from './sign-up.ts';
export type { AcceptOutcome, InvitationDetails, InvitationRecord } from './invitations.ts';
export { createEmailSeal, type EmailSeal } from './mail/email-seal.ts';
export { readEmailBacklog } from './mail/email-backlog.ts';
export { createLogMailer } from './mail/log-mailer.ts';
export type { EmailOutcome } from './mail/mail-sender.ts';
export type { Email, Mailer } from './mail/mailer.ts';
export { createSmtpMailer } from './mail/smtp-mailer.ts';
export type { Member, MemberOutcome } from './members.ts';
export { findStoredSessions } from './stored-sessions.ts';
export { isPasswordQueueFull, onBehalfOf } from './passwords.ts';
export {
  userIdSchema,
  type Membership,
  type Session,
  type SessionDirectory,
  type User,
  type UserId,
} from './session.ts';
export type { Trial } from './trial.ts';
export { SESSION_SECONDS } from './auth.ts';
export { newToken, tokenDigest } from './token.ts';
