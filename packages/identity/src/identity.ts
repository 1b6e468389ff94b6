import type { Clock, Logger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { createAuth, RESET_SECONDS } from './auth.ts';
import { createEmailVerifications, type EmailVerifications } from './email-verification.ts';
import { createSessionDirectory } from './find-session.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import type { EmailSeal } from './mail/email-seal.ts';
import type { EmailOutcome } from './mail/mail-sender.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMail } from './mail/open-mail.ts';
import { createMembers, type Members } from './members.ts';
import { auditFailedSignIn, auditOwnUser, auditSignIn, verifyByResetLink } from './sign-in-audit.ts';
import type { Session, SessionDirectory, User, UserId } from './session.ts';
import { signUpByInvitation, signUpWithAccount, type NewUser, type SignUpOutcome } from './sign-up.ts';
import { tokenDigest } from './token.ts';
import type { Trial } from './trial.ts';

export interface IdentityDeps {
  readonly database: Database;
  /** The instance's secret: at least 32 bytes of text. */
  readonly secret: string;
  readonly logger: Logger;
  readonly mailer: Mailer;
  /** Seals e-mails until they are sent. Null: there is no mail server, and `mailer` gets each e-mail at once. */
  readonly emailSeal: EmailSeal | null;
  /** Counts attempts to send an e-mail. */
  readonly onEmailAttempt?: (outcome: EmailOutcome) => void;
  readonly clock?: Clock;
  /** Base URL of the dashboard, without a trailing slash. */
  readonly publicUrl: () => string;
}

/** Users and their sessions. A token is what the cookie carries: only these return values contain it. */
export interface Identity extends SessionDirectory {
  readonly members: Members;
  readonly invitations: Invitations;
  /**
   * Returns null, after the same work, for an unknown e-mail address and for a wrong password. Both outcomes are audited
   * with `address`, the client's IP address.
   */
  signIn(given: {
    readonly email: string;
    readonly password: string;
    readonly address?: string | undefined;
  }): Promise<string | null>;
  signUp(
    user: NewUser & { readonly accountName: string; readonly currency: string; readonly trial: Trial | null },
  ): Promise<SignUpOutcome>;
  signUpByInvitation(user: NewUser & { readonly invitation: string }): Promise<SignUpOutcome>;
  /** Returns the token of a new session. */
  startSession(userId: UserId): Promise<string>;
  endSession(digest: string): Promise<void>;
  endSessions(userId: UserId): Promise<void>;
  /** Returns the token of the only session left; null if the current password is wrong. */
  changePassword(given: {
    readonly session: Session;
    readonly currentPassword: string;
    readonly newPassword: string;
  }): Promise<string | null>;
  /** Sends a link if the user exists. Whether it does is found out later, so the duration does not reveal it. */
  requestPasswordReset(email: string): Promise<void>;
  /** Ends all of the user's sessions. False if the link is invalid or expired. */
  resetPassword(given: { readonly token: string; readonly password: string }): Promise<boolean>;
  /** Sends a verification link. Does nothing if the address is verified. */
  requestEmailVerification(user: Pick<User, 'id' | 'email'>): Promise<void>;
  /** False if the link is invalid, expired or another user's. */
  verifyEmail: EmailVerifications['complete'];
  /** Begins to send the e-mails that wait. */
  startMail(): void;
  /** Waits for background work to finish. */
  idle(): Promise<void>;
  /** Ends the sending of e-mails, and waits for background work. */
  stop(): Promise<void>;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { database, secret, logger } = deps;
  const { side } = database;
  const background = createBackground(logger);
  const auth = createAuth({
    prisma: side,
    secret,
    logger,
    onPasswordReset: async (userId) => {
      await auditOwnUser(database, userId, 'user.reset_password');
      await verifyByResetLink(database, userId);
    },
  });
  const { outbox, sender } = openMail({
    ...deps,
    inBackground: (work) => background.run(work),
    createPasswordReset: (email) => auth.createPasswordReset(email),
    isVerificationValid: (userId, token) => verifications.isValid(userId, token),
    isInvitationValid: async (token) => (await invitations.find(token)) !== null,
  });
  const verifications = createEmailVerifications(database, outbox);
  const invitations = createInvitations(database, outbox);

  async function forgetResets(userId: UserId): Promise<void> {
    await side.$executeRaw`DELETE FROM verifications WHERE value = ${userId}`;
  }

  return {
    ...createSessionDirectory(database),
    members: createMembers(database),
    invitations,
    async signIn({ email, password, address }) {
      const attempt = { email, address };
      const token = await auth.signIn({ email, password });
      if (token !== null) await auditSignIn(database, tokenDigest(token), attempt);
      // In the background, so that the response time does not reveal whether the user exists.
      else background.run(() => auditFailedSignIn(database, attempt));
      return token;
    },
    signUp: (user) => signUpWithAccount({ database, outbox }, user),
    signUpByInvitation: (user) => signUpByInvitation({ database, outbox }, user),
    startSession: (userId) => auth.startSession(userId),
    async endSession(digest) {
      await side.$executeRaw`DELETE FROM sessions WHERE token = ${digest}`;
    },
    async endSessions(userId) {
      await side.$executeRaw`DELETE FROM sessions WHERE user_id = ${userId}::uuid`;
    },
    async changePassword({ session, currentPassword, newPassword }) {
      const token = await auth.changePassword(session.digest, { currentPassword, newPassword });
      if (token !== null) {
        await forgetResets(session.user.id);
        await auditOwnUser(database, session.user.id, 'user.change_password');
      }
      return token;
    },
    requestPasswordReset: (to) =>
      outbox.write({ content: { kind: 'password_reset', to }, accountId: null, lifetimeSeconds: RESET_SECONDS }),
    resetPassword: ({ token, password }) => auth.resetPassword(token, password),
    requestEmailVerification: (user) => verifications.request(user),
    verifyEmail: (userId, token) => verifications.complete(userId, token),
    startMail: () => sender?.start(),
    idle: () => background.idle(),
    async stop() {
      await Promise.all([sender?.stop(), background.idle()]);
    },
  };
}

/** Work that no request waits for. */
function createBackground(logger: Logger) {
  const running = new Set<Promise<void>>();
  return {
    run(work: () => Promise<unknown>): void {
      const done = work()
        .then(
          () => undefined,
          (error: unknown) =>
            logger.warn(
              { event: 'identity.background_failed', err: error },
              'a link was not logged, or a sign-in attempt was not audited',
            ),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
