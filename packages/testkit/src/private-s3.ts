import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { makeTemporaryDir } from './temporary-dir.ts';

/** Answers instead of the store, or calls `answer` to let the store handle the request. */
export type S3Interference = (request: IncomingMessage, response: ServerResponse, answer: RequestListener) => void;

/** An S3-compatible store on its own socket, with one empty bucket. It checks access keys but no signatures. */
export interface PrivateS3 {
  readonly url: string;
  readonly bucket: string;
  /** The environment variables of the only valid credentials, as the SDK reads them. */
  readonly credentials: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  /** Closes the socket and cuts off requests in progress. */
  stop(): Promise<void>;
  /** Listens again, with its data. */
  start(): Promise<void>;
  /** Intercepts requests until it is called without an argument. */
  answerWith(interference?: S3Interference): void;
  close(): Promise<void>;
}

const BUCKET = 'recordings';

export async function privateS3(): Promise<PrivateS3> {
  // Imported lazily: it takes half a second of the processor, and few of the files that import this package need it.
  const { default: S3rver } = await import('s3rver');
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
