import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import S3rver from 's3rver';
import { makeTemporaryDir } from './temporary-dir.ts';

/** Answers instead of the store, or has the store answer (`answer`) to what it makes of the request. */
export type S3Interference = (request: IncomingMessage, response: ServerResponse, answer: RequestListener) => void;

/** A store that speaks S3, on a socket of its own, with one empty bucket. It knows keys, but verifies no signature. */
export interface PrivateS3 {
  readonly url: string;
  readonly bucket: string;
  /** What the SDK finds the only accepted credentials in. */
  readonly credentials: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  /** Nobody listens any more; requests under way are cut off. */
  stop(): Promise<void>;
  /** Listens again, with all that it had. */
  start(): Promise<void>;
  /** Comes between what comes in and the store, until it is called without anything. */
  answerWith(interference?: S3Interference): void;
  close(): Promise<void>;
}

const BUCKET = 'recordings';

export async function privateS3(): Promise<PrivateS3> {
  const directory = await makeTemporaryDir();
  const store = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await store.configureBuckets();
  const answer = store.callback();
  let interfering: S3Interference | undefined;
  const server = createServer((request, response) => {
    if (interfering) interfering(request, response, answer);
    else answer(request, response);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The S3 server got no port.');
    return address.port;
  };
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    credentials: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    stop,
    async start() {
      await listen(port);
    },
    answerWith(interference) {
      interfering = interference;
    },
    async close() {
      if (server.listening) await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
