import type { Logger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { createAuth } from './auth.ts';
import { createSessionDirectory } from './find-session.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { passwordResetLetter } from './mail/letters.ts';
import type { Letter, Mailer } from './mail/mailer.ts';
import { createMembers, type Members } from './members.ts';
import type { Session, SessionDirectory, UserId } from './session.ts';
import { signUpByInvitation, signUpWithAccount, type NewUser, type SignUpOutcome } from './sign-up.ts';

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
  /** Null, after the same work, for an unknown e-mail address and for a wrong password. */
  signIn(given: { readonly email: string; readonly password: string }): Promise<string | null>;
  signUp(user: NewUser & { readonly accountName: string; readonly currency: string }): Promise<SignUpOutcome>;
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
    sendPasswordReset: ({ email }, token) => post(passwordResetLetter(publicUrl(), email, token)),
  });

  async function forgetResets(userId: UserId): Promise<void> {
    await side.$executeRaw`DELETE FROM verifications WHERE value = ${userId}`;
  }

  return {
    ...createSessionDirectory(database),
    members: createMembers(database),
    invitations: createInvitations(database),
    signIn: (given) => auth.signIn(given),
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
      if (token !== null) await forgetResets(session.user.id);
      return token;
    },
    requestPasswordReset: (email) => later.run(() => auth.requestPasswordReset(email)),
    resetPassword: ({ token, password }) => auth.resetPassword(token, password),
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
          (error: unknown) => logger.warn({ err: error }, 'a letter was not sent'),
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
