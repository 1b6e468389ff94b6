import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { betterAuth, type BetterAuthOptions } from 'better-auth/minimal';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { bearer } from 'better-auth/plugins/bearer';
import { PASSWORD_LENGTH } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { PrismaClient } from '@outdial/persistence';
import { hashPassword, verifyPassword } from './passwords.ts';
import { newToken, tokenDigest } from './token.ts';

export interface AuthDeps {
  readonly prisma: PrismaClient;
  /** Signs what the library hands to itself; nobody else ever sees it. */
  readonly secret: string;
  readonly logger: Logger;
  /** Sends the link by which a user sets another password. */
  readonly sendPasswordReset: (user: { readonly email: string; readonly name: string }, token: string) => Promise<void>;
}

const DAY_SECONDS = 24 * 3_600;
/** A session that is not used for this long ends. */
export const SESSION_IDLE_SECONDS = 7 * DAY_SECONDS;
/** However much it is used. */
export const SESSION_SECONDS = 30 * DAY_SECONDS;
const RESET_SECONDS = 3_600;

/** What the library makes while this runs carries this digest in the token's place. */
const nextDigest = new AsyncLocalStorage<string>();

/** The library's own functions. Its HTTP handler is not used: requests come by our routes. */
export function createAuth({ prisma, secret, logger, sendPasswordReset }: AuthDeps) {
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
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => sendPasswordReset(user, token),
      // Another link that was asked for would still set yet another password.
      onPasswordReset: async ({ user }) => void (await prisma.verification.deleteMany({ where: { value: user.id } })),
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
              token: nextDigest.getStore() ?? tokenDigest(newToken()),
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

export type Auth = ReturnType<typeof createAuth>;

/** Runs what makes a session, and gives the token of that session beside its outcome. */
export async function withNewToken<Outcome>(
  work: () => Promise<Outcome>,
): Promise<{ readonly token: string; readonly outcome: Outcome }> {
  const token = newToken();
  return { token, outcome: await nextDigest.run(tokenDigest(token), work) };
}
