import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import { ApiError } from './api-error.ts';

export interface ExpectedBody {
  readonly mediaType: string;
  /** What the error messages call the body. */
  readonly noun: 'body' | 'file';
}

/**
 * Requires a body of this media type, in UTF-8 and without a content coding. RFC 8259 section 8.1: JSON between systems
 * is UTF-8, so any other charset is an error.
 * @throws ApiError `unsupported_media_type`
 */
export function requireMediaType({ headers }: IncomingMessage, { mediaType, noun }: ExpectedBody): void {
  if (!isUtf8Of(mediaType, headers['content-type'] ?? '')) {
    const charset = noun === 'file' ? ', in UTF-8' : '';
    throw unsupported('Content-Type', `Send the ${noun} with Content-Type: ${mediaType}${charset}.`);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupported('Content-Encoding', `Send the ${noun} without a Content-Encoding header.`);
  }
}

/** Whatever its charset. */
export function isMediaType({ headers }: IncomingMessage, mediaType: string): boolean {
  const contentType = headers['content-type'] ?? '';
  return contentType === mediaType || parse(contentType).type === mediaType;
}

function isUtf8Of(mediaType: string, contentType: string): boolean {
  if (contentType === mediaType) return true;
  const { type, parameters } = parse(contentType);
  return type === mediaType && /^utf-8$/i.test(parameters['charset'] ?? 'utf-8');
}

function unsupported(param: string, publicMessage: string): ApiError {
  return new ApiError({ code: 'unsupported_media_type', publicMessage, param });
}
