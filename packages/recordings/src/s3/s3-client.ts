import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** A connection without traffic for this long is closed. A listener may pause for as long. */
const IDLE_TIMEOUT_MS = 60_000;
/** Every listener with a slow connection occupies one. */
const MAX_SOCKETS = 256;
/** Self-hosted stores mostly have no regions, but a signature must name one. */
const REGION_OF_ENDPOINTS = 'us-east-1';

/** Errors are reported to the caller; the SDK would also write them to the console. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function createS3Client({ endpoint, region, forcePathStyle }: S3Settings): S3Client {
  const usedRegion = region ?? (endpoint === undefined ? undefined : REGION_OF_ENDPOINTS);
  return new S3Client({
    forcePathStyle,
    logger: SILENT,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(usedRegion === undefined ? {} : { region: usedRegion }),
    // Checksums in trailers are specific to Amazon: other stores reject them, or store them as if they were sound.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}
