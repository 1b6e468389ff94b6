import type { Logger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { createAuth } from './auth.ts';
import { createEmailVerifications, type EmailVerifications } from './email-verification.ts';
import { createSessionDirectory } from './find-session.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { emailVerificationLetter, passwordResetLetter } from './mail/letters.ts';
import type { Letter, Mailer } from './mail/mailer.ts';
import { createMembers, type Members } from './members.ts';
import { auditFailedSignIn, auditOwnUser, auditSignIn, verifyByResetLink } from './sign-in-audit.ts';
import type { Session, SessionDirectory, User, UserId } from './session.ts';
import { signUpByInvitation, signUpWithAccount, type NewUser, type SignUpOutcome } from './sign-up.ts';
import { tokenDigest } from './token.ts';
import type { Trial } from './trial.ts';

export interface IdentityDeps {
  readonly database: Database;
  /** Of the instance, 32 bytes at least as text. */
  readonly secret: string;
  readonly logger: Logger;
  readonly mailer: Mailer;
  /** Where users reach the dashboard, without a slash at the end. */
  readonly publicUrl: () => string;
}

/** Users and their sessions. A token is what the cookie carries: it is in these answers and nowhere else. */
export interface Identity extends SessionDirectory {
  readonly members: Members;
  readonly invitations: Invitations;
  /**
   * Null, after the same work, for an unknown e-mail address and for a wrong password. Both ends are audited; `address`
   * is the client's.
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
  /** The token of a new session. */
  startSession(userId: UserId): Promise<string>;
  endSession(digest: string): Promise<void>;
  endSessions(userId: UserId): Promise<void>;
  /** The token of the one session that is left; null if the current password is another. */
  changePassword(given: {
    readonly session: Session;
    readonly currentPassword: string;
    readonly newPassword: string;
  }): Promise<string | null>;
  /** Sends a link if there is such a user. It is done later, so that nobody sees by the time it takes. */
  requestPasswordReset(email: string): void;
  /** Every session of the user ends. False: the link is not good, or no more. */
  resetPassword(given: { readonly token: string; readonly password: string }): Promise<boolean>;
  /** Sends a link that verifies the user's address, later. Nothing is sent for one that is verified. */
  requestEmailVerification(user: Pick<User, 'id' | 'email'>): void;
  /** False: the link is not good, or another user's. */
  verifyEmail: EmailVerifications['complete'];
  /** Sends it later; what goes wrong with it stands in the log. */
  post(letter: Letter): void;
  /** Waits for what is still to be sent. */
  idle(): Promise<void>;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { database, secret, logger, mailer, publicUrl } = deps;
  const { side } = database;
  const later = createLater(logger);
  const post = (letter: Letter) => later.run(() => mailer.send(letter));
  const auth = createAuth({
    prisma: side,
    secret,
    logger,
    onPasswordReset: async (userId) => {
      await auditOwnUser(database, userId, 'user.reset_password');
      await verifyByResetLink(database, userId);
    },
    sendPasswordReset: ({ email }, token) => post(passwordResetLetter(publicUrl(), email, token)),
  });

  const verifications = createEmailVerifications(database);

  async function forgetResets(userId: UserId): Promise<void> {
    await side.$executeRaw`DELETE FROM verifications WHERE value = ${userId}`;
  }

  return {
    ...createSessionDirectory(database),
    members: createMembers(database),
    invitations: createInvitations(database),
    async signIn({ email, password, address }) {
      const attempt = { email, address };
      const token = await auth.signIn({ email, password });
      if (token !== null) await auditSignIn(database, tokenDigest(token), attempt);
      // Later: how long an answer takes must not tell whether there is such a user.
      else later.run(() => auditFailedSignIn(database, attempt));
      return token;
    },
    signUp: (user) => signUpWithAccount(database, user),
    signUpByInvitation: (user) => signUpByInvitation(database, user),
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
    requestPasswordReset: (email) => later.run(() => auth.requestPasswordReset(email)),
    resetPassword: ({ token, password }) => auth.resetPassword(token, password),
    requestEmailVerification: ({ id, email }) =>
      later.run(async () => {
        const token = await verifications.create(id);
        if (token !== null) post(emailVerificationLetter(publicUrl(), email, token));
      }),
    verifyEmail: (userId, token) => verifications.complete(userId, token),
    post,
    idle: () => later.idle(),
  };
}

/** Work that nobody waits for. */
function createLater(logger: Logger) {
  const running = new Set<Promise<void>>();
  return {
    run(work: () => Promise<unknown>): void {
      const done = work()
        .then(
          () => undefined,
          (error: unknown) => logger.warn({ err: error }, 'a letter was not sent, or an attempt was not audited'),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    async idle(): Promise<void> {
      // One may lead to another: what was asked for makes the letter that is sent.
      while (running.size > 0) await Promise.all(running);
    },
  };
}
