import type { Logger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { isAPIError } from 'better-auth/api';
import { createAuth, withNewToken, type Auth } from './auth.ts';
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
  const auth = createAuth({
    prisma: side,
    secret,
    logger,
    sendPasswordReset: ({ email }, token) => mailer.send(passwordResetLetter(publicUrl(), email, token)),
  });
  const later = createLater(logger);

  async function forgetResets(userId: UserId): Promise<void> {
    await side.$executeRaw`DELETE FROM verifications WHERE value = ${userId}`;
  }

  return {
    ...createSessionDirectory(database),
    members: createMembers(database),
    invitations: createInvitations(database),
    signIn: (given) => signIn(auth, given),
    signUp: (user) => signUpWithAccount(database, user),
    signUpByInvitation: (user) => signUpByInvitation(database, user),
    startSession: (userId) => startSession(auth, userId),
    async endSession(digest) {
      await side.$executeRaw`DELETE FROM sessions WHERE token = ${digest}`;
    },
    async endSessions(userId) {
      await side.$executeRaw`DELETE FROM sessions WHERE user_id = ${userId}::uuid`;
    },
    async changePassword({ session, currentPassword, newPassword }) {
      const token = await changePassword(auth, session.digest, { currentPassword, newPassword });
      if (token !== null) await forgetResets(session.user.id);
      return token;
    },
    requestPasswordReset: (email) => later.run(() => auth.api.requestPasswordReset({ body: { email } })),
    resetPassword: ({ token, password }) => resetPassword(auth, token, password),
    post: (letter) => later.run(() => mailer.send(letter)),
    idle: () => later.idle(),
  };
}

async function signIn(auth: Auth, body: { readonly email: string; readonly password: string }): Promise<string | null> {
  const signedIn = withNewToken(() => auth.api.signInEmail({ body }));
  return (await unlessRefused(signedIn, 'UNAUTHORIZED'))?.token ?? null;
}

async function startSession(auth: Auth, userId: UserId): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const { token } = await withNewToken(() => internalAdapter.createSession(userId));
  return token;
}

async function changePassword(
  auth: Auth,
  digest: string,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
): Promise<string | null> {
  // To the library the digest is the token.
  const headers = new Headers({ Authorization: `Bearer ${digest}` });
  const body = { ...passwords, revokeOtherSessions: true };
  const changed = withNewToken(() => auth.api.changePassword({ headers, body }));
  return (await unlessRefused(changed, 'BAD_REQUEST'))?.token ?? null;
}

async function resetPassword(auth: Auth, token: string, newPassword: string): Promise<boolean> {
  const reset = auth.api.resetPassword({ body: { token, newPassword } });
  return (await unlessRefused(reset, 'BAD_REQUEST')) !== null;
}

/** Null for the library's refusal of that kind; every other error is none of the user's. */
async function unlessRefused<Value>(
  work: Promise<Value>,
  status: 'UNAUTHORIZED' | 'BAD_REQUEST',
): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (isAPIError(error) && error.status === status) return null;
    throw error;
  }
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
      await Promise.all(running);
    },
  };
}
