import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { FileReply, ReplyHeaders, StreamReply } from './reply.ts';

/** A file in memory, in the encoding that the client accepts. */
export type CachedFile = (request: IncomingMessage) => Promise<FileReply | StreamReply>;

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yml': 'application/yaml; charset=utf-8',
};
const OTHER_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** @param own headers in addition to type, length and tag. */
export function cacheFile(name: string, plain: Buffer, own: ReplyHeaders): CachedFile {
  const textType = TEXT_TYPES[extname(name)];
  const type = textType ?? OTHER_TYPES[extname(name)] ?? 'application/octet-stream';
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const encode = textType === undefined ? async () => plain : encoderOf(plain);
  return async (request) => {
    const encoding = textType === undefined ? 'identity' : encodingFor(request);
    // Each encoding is a separate representation with its own tag.
    const tag = `"${digest}-${encoding}"`;
    const headers = { ...own, ETag: tag, ...(textType === undefined ? {} : { Vary: 'Accept-Encoding' }) };
    if (fresh(request.headers, { etag: tag })) return { status: 304, headers, stream: null };
    const encoded = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    return { status: 200, headers: { ...headers, 'Content-Type': type, ...encoded }, bytes: await encode(encoding) };
  };
}

/** Compresses at the first request for an encoding, and caches the result. */
function encoderOf(plain: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const cached = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const before = cached.get(encoding);
    if (before !== undefined) return before;
    const encoded = compress(plain, encoding);
    cached.set(encoding, encoded);
    return encoded;
  };
}

async function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      // The highest levels take seconds for the largest file and save a few percent.
      return compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } });
    case 'gzip':
      return compressGzip(plain, { level: constants.Z_BEST_COMPRESSION });
    case 'identity':
      return plain;
    default:
      return encoding satisfies never;
  }
}

/** The best encoding that the client accepts. */
function encodingFor(request: IncomingMessage): Encoding {
  const taken = new Set(new Negotiator(request).encodings([...ENCODINGS]));
  return ENCODINGS.find((encoding) => taken.has(encoding)) ?? 'identity';
}
