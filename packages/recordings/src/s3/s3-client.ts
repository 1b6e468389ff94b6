import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** A connection on which nothing moves for so long is given up. A listener may pause that long, not longer. */
const IDLE_TIMEOUT_MS = 60_000;
/** Every listener who reads slowly has one. */
const MAX_SOCKETS = 256;
/** A store of one's own behind an endpoint mostly has no regions, but signatures must name one. */
const REGION_OF_ENDPOINTS = 'us-east-1';

/** What befalls a request is told by its failure; the SDK would write it to the console besides. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function createS3Client({ endpoint, region, forcePathStyle }: S3Settings): S3Client {
  const usedRegion = region ?? (endpoint === undefined ? undefined : REGION_OF_ENDPOINTS);
  return new S3Client({
    forcePathStyle,
    logger: SILENT,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(usedRegion === undefined ? {} : { region: usedRegion }),
    // Checksums in trailers are Amazon's alone: other stores refuse them, or keep them as if they were sound.
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
