import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, type Gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** The fastest level: a megabyte of calls takes some milliseconds, of a thread beside the one that answers. */
const OPTIONS = { level: constants.Z_BEST_SPEED } as const;
/** Smaller answers, such as that of a create, gain less than looking at what the client takes would cost. */
const COMPRESSED_FROM_BYTES = 4_096;

const compressWhole = promisify(gzip);

/** An answer as it is sent, and the headers that say how, as names and values in turn. */
interface Encoded {
  readonly bytes: string | Buffer;
  readonly headers: readonly string[];
}

/**
 * Whether to look at what the client takes. Only answers to GET are compressed: those that carry a new key, link or session
 * answer other methods, and a secret that is compressed beside what an attacker has chosen can be guessed by the length
 * (BREACH).
 */
export function isWorthCompressing({ method }: IncomingMessage, body: string): boolean {
  return body.length >= COMPRESSED_FROM_BYTES && method === 'GET';
}

/** What is worth it, as this client takes it. */
export async function compressBody(request: IncomingMessage, body: string): Promise<Encoded> {
  if (!takesGzip(request)) return { bytes: body, headers: ['Vary', 'Accept-Encoding'] };
  const bytes = await compressWhole(body, OPTIONS);
  return { bytes, headers: GZIPPED };
}

/** What a stream goes through, if the client takes it; null if not. Each part that is written goes out at once. */
export function openCompressor(request: IncomingMessage): Gzip | null {
  return takesGzip(request) ? createGzip({ ...OPTIONS, flush: constants.Z_SYNC_FLUSH }) : null;
}

export const GZIPPED = ['Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip'] as const;

function takesGzip(request: IncomingMessage): boolean {
  return new Negotiator(request).encodings(['gzip', 'identity'])[0] === 'gzip';
}
