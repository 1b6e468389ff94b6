import { createHmac } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import {
  createEmailSeal,
  createIdentity,
  createLogMailer,
  createSmtpMailer,
  findStoredSessions,
  type EmailSeal,
  type Mailer,
} from '@outdial/identity';
import type { Logger } from '@outdial/kernel';
import type { ApiConfig } from './config.ts';
import { sessionAccessChecks } from './dashboard/access-checks.ts';
import { mailSettingsOf, trialOf } from './dashboard/env.ts';
import type { IdentityRoutesDeps } from './dashboard/identity-routes.ts';
import { createSessions } from './dashboard/sessions.ts';
import {
  createThrottle,
  INVITATION_LIMITS,
  limitingAll,
  LINK_LIMITS,
  PASSWORD_CHECK_LIMITS,
  PASSWORD_LIMITS,
  SIGN_UP_LIMITS,
} from './dashboard/throttle.ts';
import type { Drivers } from './drivers.ts';
import type { AccessChecks } from './http/principal.ts';
import { createUnknownCredentials } from './http/unknown-credentials.ts';
import { createAccountRateLimit } from './http/account-rate-limit.ts';
import { createRateLimit } from './http/rate-limit.ts';

export interface DashboardOptions {
  readonly config: ApiConfig;
  readonly logger: Logger;
  readonly drivers: Pick<Drivers, 'clock' | 'database' | 'defaultPolicy' | 'directory' | 'metrics' | 'redis'>;
  /** The dashboard's public URL. Read at the first request, not before. */
  readonly publicUrl: () => string;
}

export interface Dashboard {
  readonly accessChecks: Omit<AccessChecks, 'api_key'>;
  readonly deps: IdentityRoutesDeps;
  /** Begins to send the e-mails that wait. */
  start(): void;
  /** Stops sending e-mails. What is left waits for another process, or for the next start. */
  close(): Promise<void>;
}

/** Joins users and their sessions to the routes of the dashboard. */
export function composeDashboard({ config, logger, drivers, publicUrl }: DashboardOptions): Dashboard {
  const { clock, database, directory, redis } = drivers;
  const { mailer, emailSeal } = openMailer(config, logger);
  const identity = createIdentity({
    database,
    secret: deriveSecret(config.OUTDIAL_KEY_PEPPER, 'sessions').toString('hex'),
    logger,
    mailer,
    emailSeal,
    onEmailAttempt: drivers.metrics.emailAttempted,
    publicUrl,
    clock,
  });
  const sessions = createSessions(
    identity,
    clock,
    createUnknownCredentials({ clock, findStored: (digests) => findStoredSessions(database, digests) }),
  );
  const rateLimit = createRateLimit({
    redis: redis.rateLimit,
    clock,
    requestsPerSecond: config.OUTDIAL_KEY_REQUESTS_PER_SECOND,
    keyPrefix: 'outdial:user-requests',
    scope: 'user',
  });
  const accountRateLimit = createAccountRateLimit('members', {
    redis: redis.rateLimit,
    clock,
    requestsPerSecond: config.OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND,
  });
  return {
    accessChecks: sessionAccessChecks({
      sessions,
      directory,
      rateLimit,
      accountRateLimit,
      publicOrigin: () => new URL(publicUrl()).origin,
    }),
    deps: {
      clock,
      identity,
      sessions,
      publicUrl,
      signUpPolicy: {
        isOpen: config.OUTDIAL_SIGN_UP === 'open',
        currency: config.OUTDIAL_SIGN_UP_CURRENCY,
        trial: trialOf(config),
      },
      defaultPolicy: drivers.defaultPolicy,
      offersTestNumbers: config.OUTDIAL_TEST_NUMBERS,
      passwordThrottle: limitingAll(
        createThrottle(redis.rateLimit, PASSWORD_LIMITS),
        createThrottle(redis.rateLimit, PASSWORD_CHECK_LIMITS),
      ),
      signUpThrottle: createThrottle(redis.rateLimit, SIGN_UP_LIMITS),
      linkThrottle: createThrottle(redis.rateLimit, LINK_LIMITS),
      invitationThrottle: createThrottle(redis.rateLimit, INVITATION_LIMITS),
      maxOpenInvitations: config.OUTDIAL_ACCOUNT_INVITATIONS,
    },
    start: () => identity.startMail(),
    async close() {
      await identity.stop();
      mailer.close();
    },
  };
}

/** Without a mail server no e-mail waits: its link is logged at once. */
function openMailer(
  config: ApiConfig,
  logger: Logger,
): { readonly mailer: Mailer; readonly emailSeal: EmailSeal | null } {
  const settings = mailSettingsOf(config);
  if (settings === null) return { mailer: createLogMailer(logger), emailSeal: null };
  // An installation may have no secret key, and still send e-mails.
  const derived = deriveSecret(config.OUTDIAL_KEY_PEPPER, 'e-mails');
  const { OUTDIAL_SECRET_KEY: key } = config;
  return {
    mailer: createSmtpMailer(settings),
    emailSeal: key === null ? createEmailSeal(derived) : createEmailSeal(key, derived),
  };
}

/**
 * Derives each purpose's key from the one configured secret, so that a value made for one purpose is not valid for
 * another.
 */
function deriveSecret(pepper: KeyPepper, purpose: 'sessions' | 'e-mails'): Buffer {
  return createHmac('sha256', pepper).update(purpose).digest();
}
