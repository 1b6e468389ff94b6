import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { betterAuth, type BetterAuthOptions } from 'better-auth/minimal';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { isAPIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { PASSWORD_LENGTH } from '@outdial/contracts';
import { invariant, type Logger } from '@outdial/kernel';
import type { PrismaClient } from '@outdial/persistence';
import { endIfOutdated } from './outdated-sign-in.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { UserId } from './session.ts';
import { newToken, tokenDigest } from './token.ts';

export interface AuthDeps {
  readonly prisma: PrismaClient;
  /** Signs values that the library passes to itself; they never leave the process. */
  readonly secret: string;
  readonly logger: Logger;
  /** Called after a password was reset with a link. */
  readonly onPasswordReset: (userId: string) => Promise<void>;
}

const DAY_SECONDS = 24 * 3_600;
/** An unused session ends after this time. */
export const SESSION_IDLE_SECONDS = 7 * DAY_SECONDS;
/** A session ends after this time even if it is used. */
export const SESSION_SECONDS = 30 * DAY_SECONDS;
export const RESET_SECONDS = 3_600;

/** A session that the library creates during this context stores the digest instead of the token. */
interface SessionStart {
  readonly digest: string;
  /** The hash of the password that was accepted. */
  passwordHash: string | null;
}
const sessionStart = new AsyncLocalStorage<SessionStart>();

/** The library hands out the token of a reset link in a callback alone. */
const resetStart = new AsyncLocalStorage<{ token: string | null }>();

/** What we use of the library. Tokens are what the cookie carries; null or false means that the request was rejected. */
export interface Auth {
  /** Does the same work for an unknown address as for a wrong password. */
  signIn(given: { readonly email: string; readonly password: string }): Promise<string | null>;
  startSession(userId: UserId): Promise<string>;
  /** Ends all of the user's sessions and starts a new one. */
  changePassword(
    digest: string,
    passwords: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<string | null>;
  /** The token of a new link. Null: no user has this address. */
  createPasswordReset(email: string): Promise<string | null>;
  /** Ends all of the user's sessions. */
  resetPassword(token: string, newPassword: string): Promise<boolean>;
}

export function createAuth(deps: AuthDeps): Auth {
  const { api, $context } = configure(deps);
  return {
    async signIn(body) {
      const begun = await startWith(() => api.signInEmail({ body }), 'UNAUTHORIZED');
      if (begun === null) return null;
      const { token, digest, passwordHash } = begun;
      invariant(passwordHash !== null, 'a sign-in checks a password');
      return (await endIfOutdated(deps.prisma, { digest, passwordHash })) ? null : token;
    },
    async startSession(userId) {
      const { internalAdapter } = await $context;
      const begun = await startWith(() => internalAdapter.createSession(userId), 'UNAUTHORIZED');
      invariant(begun !== null, 'a user that was authenticated gets a session');
      return begun.token;
    },
    async changePassword(digest, passwords) {
      // The library looks sessions up by the stored column, which holds the digest.
      const headers = new Headers({ Authorization: `Bearer ${digest}` });
      const body = { ...passwords, revokeOtherSessions: true };
      return (await startWith(() => api.changePassword({ headers, body }), 'BAD_REQUEST'))?.token ?? null;
    },
    async createPasswordReset(email) {
      const begun = { token: null };
      await resetStart.run(begun, () => api.requestPasswordReset({ body: { email } }));
      return begun.token;
    },
    resetPassword: (token, newPassword) =>
      isAllowed(() => api.resetPassword({ body: { token, newPassword } }), 'BAD_REQUEST'),
  };
}

/** The library's functions. Its HTTP handler is not used: requests go through our routes. */
function configure({ prisma, secret, logger, onPasswordReset }: AuthDeps) {
  return betterAuth({
    database: prismaAdapter(prisma, { provider: 'postgresql' }),
    secret,
    // Required by the library and unused: we build the links.
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (_level, message) => logger.debug({ event: 'auth.library_logged', message }, 'better-auth'),
    },
    user: { additionalFields: { isOperator: { type: 'boolean', input: false, defaultValue: false } } },
    session: { expiresIn: SESSION_IDLE_SECONDS, disableSessionRefresh: true, cookieCache: { enabled: false } },
    account: { modelName: 'userCredential', fields: { accountId: 'subject', providerId: 'provider' } },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: { hash: hashPassword, verify },
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => {
        const begun = resetStart.getStore();
        if (begun) begun.token = token;
      },
      // Another outstanding reset link could still change the password.
      onPasswordReset: async ({ user }) => {
        await prisma.verification.deleteMany({ where: { value: user.id } });
        await onPasswordReset(user.id);
      },
    },
    databaseHooks: {
      session: {
        create: {
          // By default the library stores the plain token, which would let a reader of the database sign in.
          before: async (session) => ({
            data: {
              ...session,
              ipAddress: null,
              userAgent: null,
              token: sessionStart.getStore()?.digest ?? tokenDigest(newToken()),
            },
          }),
        },
      },
    },
    // Our schema omits the library's columns for social sign-in, so its schema check would fail.
    advanced: { database: { generateId: () => randomUUID(), validateSchema: false } },
    plugins: [bearer()],
  } satisfies BetterAuthOptions);
}

async function verify(given: { readonly hash: string; readonly password: string }): Promise<boolean> {
  const isRight = await verifyPassword(given);
  const session = sessionStart.getStore();
  if (isRight && session) session.passwordHash = given.hash;
  return isRight;
}

/** Runs work that creates a session, and returns the session with its token; null if the library rejects. */
async function startWith(work: () => Promise<unknown>, status: RejectionStatus) {
  const token = newToken();
  const session: SessionStart = { digest: tokenDigest(token), passwordHash: null };
  const isDone = await isAllowed(() => sessionStart.run(session, work), status);
  return isDone ? { ...session, token } : null;
}

type RejectionStatus = 'UNAUTHORIZED' | 'BAD_REQUEST';

/** Returns false for a rejection of that kind, and rethrows every other error. */
async function isAllowed(work: () => Promise<unknown>, status: RejectionStatus): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isAPIError(error) && error.status === status) return false;
    throw error;
  }
}
