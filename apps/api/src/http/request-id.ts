import { randomUUID } from 'node:crypto';

const SANE = /^[\w.:=@+/-]{1,128}$/;

/** The client's own request id if it is safe to log and return, otherwise a new one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
