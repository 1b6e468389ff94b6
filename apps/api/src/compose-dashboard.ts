import { createHmac } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import { createIdentity, createLogMailer, findStoredSessions, createSmtpMailer, type Mailer } from '@outdial/identity';
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
  readonly drivers: Pick<Drivers, 'clock' | 'database' | 'directory' | 'redis'>;
  /** The dashboard's public URL. Read at the first request, not before. */
  readonly publicUrl: () => string;
}

export interface Dashboard {
  readonly accessChecks: Omit<AccessChecks, 'api_key'>;
  readonly deps: IdentityRoutesDeps;
  /** Sends the e-mails that are still queued. */
  close(): Promise<void>;
}

/** Joins users and their sessions to the routes of the dashboard. */
export function composeDashboard({ config, logger, drivers, publicUrl }: DashboardOptions): Dashboard {
  const { clock, database, directory, redis } = drivers;
  const mailer = openMailer(config, logger);
  const secret = sessionSecret(config.OUTDIAL_KEY_PEPPER);
  const identity = createIdentity({ database, secret, logger, mailer, publicUrl });
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
    async close() {
      await identity.idle();
      mailer.close();
    },
  };
}

function openMailer(config: ApiConfig, logger: Logger): Mailer {
  const settings = mailSettingsOf(config);
  return settings === null ? createLogMailer(logger) : createSmtpMailer(settings);
}

/**
 * Derives each purpose's key from the one configured secret, so that a value made for one purpose is not valid for
 * another.
 */
function sessionSecret(pepper: KeyPepper): string {
  return createHmac('sha256', pepper).update('sessions').digest('hex');
}
