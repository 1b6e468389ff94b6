import { isIP } from 'node:net';
import { envChoice, envFlag, EnvError, type Env, type EnvSpec } from '@outdial/kernel';
import { micros, parseDecimal } from '@outdial/contracts';
import type { Trial } from '@outdial/identity';
import { z } from 'zod';

const url = (schemes: RegExp, what: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.test(text), `must be ${what}`);

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const width = isIP(address) === 4 ? 32 : 128;
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
  return NAMED_NETWORKS.has(text) || (isIP(address) > 0 && isPrefix && rest.length === 0);
}

/** The dashboard's settings of the API. */
export const dashboardEnv = {
  OUTDIAL_PUBLIC_URL: {
    schema: url(/^https?:\/\//i, 'a URL that begins with https:// or http://')
      .transform((text) => text.replace(/\/+$/, ''))
      .optional(),
    description: 'Public URL of the dashboard, for links in e-mails. Default: the address that the API listens on.',
  },
  OUTDIAL_TRUSTED_PROXIES: {
    schema: z
      .string()
      .default('none')
      .transform((text) => (text === 'none' ? [] : text.split(',').map((part) => part.trim())))
      .refine(
        (parts) => parts.every(isNetwork),
        'must be none, or a comma-separated list of addresses, networks or loopback',
      ),
    description:
      'Proxies whose X-Forwarded-For is trusted: none, or a comma-separated list of addresses, networks, loopback, linklocal and uniquelocal.',
  },
  OUTDIAL_SIGN_UP: {
    schema: envChoice(['open', 'invited']).default('open'),
    description: 'Who may create a dashboard user: any visitor, or only a person invited to an account.',
  },
  OUTDIAL_SIGN_UP_CURRENCY: {
    schema: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters such as USD')
      .default('USD'),
    description: 'Currency of accounts created by signing up.',
  },
  OUTDIAL_SMTP_URL: {
    schema: url(/^smtps?:\/\//i, 'a URL that begins with smtp:// or smtps://').optional(),
    description:
      'Mail server that sends e-mails, such as smtps://user:password@mail.example.com:465; without one their links are in the log.',
  },
  OUTDIAL_MAIL_FROM: {
    schema: z.string().regex(/@/, 'must be an address such as Outdial <calls@example.com>').optional(),
    description: 'Sender of the e-mails, such as Outdial <calls@example.com>.',
  },
  OUTDIAL_TEST_NUMBERS: {
    schema: envFlag.default(false),
    description:
      'Whether the dashboard offers the test numbers. Only for an installation that reaches no real telephone.',
  },
  OUTDIAL_TRIAL_CREDIT: {
    schema: z
      .string()
      .regex(/^\d{1,6}(?:\.\d{1,6})?$/, 'must be an amount from 0 to 999999.999999, such as 5.00')
      .default('0')
      .transform((text) => parseDecimal(text) ?? micros(0n)),
    description:
      'One-time credit of a new account, in units of its currency. Only where test numbers are all that can be called.',
  },
} as const satisfies EnvSpec;

export type DashboardEnv = Env<typeof dashboardEnv>;

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

/** Null: there is no mail server. @throws EnvError if one of the two settings is missing. */
export function mailSettingsOf(env: Pick<DashboardEnv, 'OUTDIAL_SMTP_URL' | 'OUTDIAL_MAIL_FROM'>): MailSettings | null {
  const { OUTDIAL_SMTP_URL: url, OUTDIAL_MAIL_FROM: from } = env;
  if (url !== undefined && from !== undefined) return { url, from };
  if (url === undefined && from === undefined) return null;
  const missing = url === undefined ? 'OUTDIAL_SMTP_URL' : 'OUTDIAL_MAIL_FROM';
  throw new EnvError(`${missing} is not set: e-mail requires both OUTDIAL_SMTP_URL and OUTDIAL_MAIL_FROM.`);
}

/**
 * The trial credit of a new account. Null: none. @throws EnvError for credit where real telephones can be called:
 * strangers would spend it there.
 */
export function trialOf(env: Pick<DashboardEnv, 'OUTDIAL_TEST_NUMBERS' | 'OUTDIAL_TRIAL_CREDIT'>): Trial | null {
  if (env.OUTDIAL_TEST_NUMBERS) return { creditMicros: env.OUTDIAL_TRIAL_CREDIT };
  if (env.OUTDIAL_TRIAL_CREDIT === 0n) return null;
  throw new EnvError(
    'OUTDIAL_TRIAL_CREDIT is set and OUTDIAL_TEST_NUMBERS is not true: strangers would call real telephones with the credit. Set it to 0.',
  );
}
