import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, type Gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** The fastest level: a megabyte of calls takes a few milliseconds, on a thread other than the event loop's. */
const OPTIONS = { level: constants.Z_BEST_SPEED } as const;
/** For smaller answers, such as that of a create, the negotiation costs more than compression saves. */
const COMPRESSED_FROM_BYTES = 4_096;

const compressWhole = promisify(gzip);

/** An answer as it is sent, with its headers as alternating names and values. */
interface Encoded {
  readonly bytes: string | Buffer;
  readonly headers: readonly string[];
}

/**
 * Whether to negotiate compression. Only answers to GET are compressed: answers that carry a new key, link or session
 * belong to other methods, and an attacker can guess a secret that is compressed beside chosen text from the length
 * (BREACH).
 */
export function isWorthCompressing({ method }: IncomingMessage, body: string): boolean {
  return body.length >= COMPRESSED_FROM_BYTES && method === 'GET';
}

/** Compresses an answer that is worth it, in an encoding that the client accepts. */
export async function compressBody(request: IncomingMessage, body: string): Promise<Encoded> {
  if (!takesGzip(request)) return { bytes: body, headers: ['Vary', 'Accept-Encoding'] };
  const bytes = await compressWhole(body, OPTIONS);
  return { bytes, headers: GZIPPED };
}

/** The compressor for a stream, or null if the client accepts none. Flushes each part as it is written. */
export function openCompressor(request: IncomingMessage): Gzip | null {
  return takesGzip(request) ? createGzip({ ...OPTIONS, flush: constants.Z_SYNC_FLUSH }) : null;
}

export const GZIPPED = ['Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip'] as const;

function takesGzip(request: IncomingMessage): boolean {
  return new Negotiator(request).encodings(['gzip', 'identity'])[0] === 'gzip';
}
