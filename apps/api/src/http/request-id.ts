import { randomUUID } from 'node:crypto';

const SANE = /^[\w.:=@+/-]{1,128}$/;

/** The client's own id for the request if it can safely be logged and sent back, a new one otherwise. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
