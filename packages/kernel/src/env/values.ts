import { z } from 'zod';
import { LOG_LEVELS } from '../logger.ts';
import { parsePostgresUrl } from './postgres-url.ts';
import { parseRedisUrl, RedisUrlError } from './redis-url.ts';

/** An integer written in decimal digits, within bounds. */
export function envInteger(bounds: { readonly min: number; readonly max: number }) {
  const { min, max } = bounds;
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
}

export const envFlag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1, true, 0 or false' })
  .transform((value) => value === '1' || value === 'true');

/** One of a few words. */
export function envChoice<const Choices extends readonly [string, string, ...string[]]>(choices: Choices) {
  return z.enum(choices, { error: `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` });
}

export const envLogLevel = envChoice(LOG_LEVELS);

/** How many Postgres connections a process keeps for the statements that its calls wait for. */
export const envPoolSize = envInteger({ min: 1, max: 200 });

/** One host, or a list of them. */
export const envPostgresUrl = z.string().superRefine((url, context) => {
  const parsed = parsePostgresUrl(url);
  if ('problem' in parsed) context.addIssue({ code: 'custom', message: parsed.problem });
});
/** `unix://` names the socket of a Redis on this machine. Several hosts are Sentinels or nodes of a cluster. */
export const envRedisUrl = z.string().superRefine((text, context) => {
  try {
    parseRedisUrl(text);
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error;
    context.addIssue(error.message);
  }
});
