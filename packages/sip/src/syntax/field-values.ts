import type { Headers } from './headers.ts';
import { parseParams } from './params.ts';

/** Header fields that hold a number of seconds, with optional text after it. Undefined when absent or unreadable. */
function seconds(value: string | undefined): number | undefined {
  const digits = /^\s*(?<digits>\d{1,9})\s*(?:[;(]|$)/.exec(value ?? '')?.groups?.['digits'];
  return digits === undefined ? undefined : Number(digits);
}

/** How long not to send more requests (RFC 3261 section 20.33). */
export function readRetryAfterSeconds(headers: Headers): number | null {
  return seconds(headers.get('retry-after')) ?? null;
}

/** How long an INVITE may ring (RFC 3261 section 13.3.1). */
export function readExpiresSeconds(headers: Headers): number | undefined {
  return seconds(headers.get('expires'));
}

/** RFC 4028 section 5. */
export function readMinSeSeconds(headers: Headers): number | undefined {
  return seconds(headers.get('min-se'));
}

export interface SessionExpires {
  readonly intervalSeconds: number;
  /** Which side of the current transaction refreshes the session; null leaves it to the server. */
  readonly refresher: 'uac' | 'uas' | null;
}

/** RFC 4028 section 4. */
export function readSessionExpires(headers: Headers): SessionExpires | undefined {
  const value = headers.get('session-expires');
  const intervalSeconds = seconds(value);
  if (value === undefined || intervalSeconds === undefined) return undefined;
  const refresher = parseParams(value.slice(value.indexOf(';') + 1))
    .get('refresher')
    ?.toLowerCase();
  return { intervalSeconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null };
}

export interface Q850 {
  readonly cause: number;
  readonly text: string | null;
}

/** The ITU-T Q.850 cause of a Reason header field (RFC 3326), with its text. */
export function readQ850(headers: Headers): Q850 | undefined {
  for (const value of headers.all('reason')) {
    const [protocol = '', ...rest] = value.split(';');
    const params = parseParams(rest.join(';'));
    const cause = Number(params.get('cause') ?? Number.NaN);
    if (protocol.trim().toLowerCase() === 'q.850' && Number.isInteger(cause) && cause >= 0 && cause <= 127)
      return { cause, text: params.get('text') ?? null };
  }
  return undefined;
}

export function readQ850Cause(headers: Headers): number | null {
  return readQ850(headers)?.cause ?? null;
}
