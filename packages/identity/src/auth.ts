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
  /** Signs what the library hands to itself; nobody else ever sees it. */
  readonly secret: string;
  readonly logger: Logger;
  /** Another password was set by such a link. */
  readonly onPasswordReset: (userId: string) => Promise<void>;
  /** Sends the link by which a user sets another password, and tells of it if that fails: the library would not. */
  readonly sendPasswordReset: (user: { readonly email: string; readonly name: string }, token: string) => void;
}

const DAY_SECONDS = 24 * 3_600;
/** A session that is not used for this long ends. */
export const SESSION_IDLE_SECONDS = 7 * DAY_SECONDS;
/** However much it is used. */
export const SESSION_SECONDS = 30 * DAY_SECONDS;
const RESET_SECONDS = 3_600;

/** What the library makes while this runs carries this digest in the token's place, and tells what it was made for. */
interface Beginning {
  readonly digest: string;
  /** Of the password that was found right. */
  passwordHash: string | null;
}
const beginning = new AsyncLocalStorage<Beginning>();

/** What the library does for us. A token is what a cookie carries; null or false: refused. */
export interface Auth {
  /** Does the same work for an address that nobody has. */
  signIn(given: { readonly email: string; readonly password: string }): Promise<string | null>;
  startSession(userId: UserId): Promise<string>;
  /** Every session of the user ends, and a new one begins. */
  changePassword(
    digest: string,
    passwords: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<string | null>;
  requestPasswordReset(email: string): Promise<void>;
  /** Every session of the user ends. */
  resetPassword(token: string, newPassword: string): Promise<boolean>;
}

export function createAuth(deps: AuthDeps): Auth {
  const { api, $context } = configure(deps);
  return {
    async signIn(body) {
      const begun = await begin(() => api.signInEmail({ body }), 'UNAUTHORIZED');
      if (begun === null) return null;
      const { token, digest, passwordHash } = begun;
      invariant(passwordHash !== null, 'nobody signs in without a password');
      return (await endIfOutdated(deps.prisma, { digest, passwordHash })) ? null : token;
    },
    async startSession(userId) {
      const { internalAdapter } = await $context;
      const begun = await begin(() => internalAdapter.createSession(userId), 'UNAUTHORIZED');
      invariant(begun !== null, 'a session begins for whoever was let in');
      return begun.token;
    },
    async changePassword(digest, passwords) {
      // To the library the digest is the token.
      const headers = new Headers({ Authorization: `Bearer ${digest}` });
      const body = { ...passwords, revokeOtherSessions: true };
      return (await begin(() => api.changePassword({ headers, body }), 'BAD_REQUEST'))?.token ?? null;
    },
    async requestPasswordReset(email) {
      await api.requestPasswordReset({ body: { email } });
    },
    resetPassword: (token, newPassword) =>
      unlessRefused(() => api.resetPassword({ body: { token, newPassword } }), 'BAD_REQUEST'),
  };
}

/** The library's own functions. Its HTTP handler is not used: requests come by our routes. */
function configure({ prisma, secret, logger, sendPasswordReset, onPasswordReset }: AuthDeps) {
  return betterAuth({
    database: prismaAdapter(prisma, { provider: 'postgresql' }),
    secret,
    // Names no host, and is asked by nobody: links are ours.
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (_level, message) => logger.debug({ message }, 'better-auth') },
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
      sendResetPassword: async ({ user, token }) => sendPasswordReset(user, token),
      // Another link that was asked for would still set yet another password.
      onPasswordReset: async ({ user }) => {
        await prisma.verification.deleteMany({ where: { value: user.id } });
        await onPasswordReset(user.id);
      },
    },
    databaseHooks: {
      session: {
        create: {
          // The library would keep the very token by which somebody is signed in.
          before: async (session) => ({
            data: {
              ...session,
              ipAddress: null,
              userAgent: null,
              token: beginning.getStore()?.digest ?? tokenDigest(newToken()),
            },
          }),
        },
      },
    },
    // Its columns for signing in by way of other services are left out, which the check would miss.
    advanced: { database: { generateId: () => randomUUID(), validateSchema: false } },
    plugins: [bearer()],
  } satisfies BetterAuthOptions);
}

async function verify(given: { readonly hash: string; readonly password: string }): Promise<boolean> {
  const isRight = await verifyPassword(given);
  const session = beginning.getStore();
  if (isRight && session) session.passwordHash = given.hash;
  return isRight;
}

/** Runs what makes a session, and gives that session with its token; null if the library refuses. */
async function begin(work: () => Promise<unknown>, status: RefusalStatus) {
  const token = newToken();
  const session: Beginning = { digest: tokenDigest(token), passwordHash: null };
  const isDone = await unlessRefused(() => beginning.run(session, work), status);
  return isDone ? { ...session, token } : null;
}

type RefusalStatus = 'UNAUTHORIZED' | 'BAD_REQUEST';

/** False for the library's refusal of that kind; every other error is none of the user's. */
async function unlessRefused(work: () => Promise<unknown>, status: RefusalStatus): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isAPIError(error) && error.status === status) return false;
    throw error;
  }
}
