import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { CliError, errorCode, errorText } from '../cli-error.ts';

/** Asked before anything is started, so that the answer comes at once and nothing has to be taken down again. */
export async function assertPortFree(host: string, port: number, variable = 'PORT'): Promise<void> {
  const error = await listenOnce(host, port);
  if (error !== undefined) throw new CliError(sentenceFor(error, { host, port, variable }), { cause: error });
}

/** Below the range from which outgoing connections get theirs: one of those could take it while its owner restarts. */
const PRIVATE_PORTS = { from: 20_000, to: 32_767 } as const;
const ATTEMPTS = 50;

/** A port of loopback that nobody uses now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(PRIVATE_PORTS.from, PRIVATE_PORTS.to + 1);
    if (await isPortFree('127.0.0.1', port)) return port;
  }
  throw new CliError(
    `No free port was found from ${PRIVATE_PORTS.from} to ${PRIVATE_PORTS.to}: end some servers there.`,
  );
}

/** Never rejects. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  return (await listenOnce(host, port)) === undefined;
}

function listenOnce(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

interface AskedPort {
  readonly host: string;
  readonly port: number;
  /** That sets the port. */
  readonly variable: string;
}

function sentenceFor(error: Error, { host, port, variable }: AskedPort): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program: stop that one, or choose another port with \`${variable}=${port + 1} npm start\`.`;
  }
  if (code === 'EACCES') {
    return `This account may not open port ${port}: choose one above 1023, such as \`${variable}=3000 npm start\`.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is no address of this machine: set HOST to one, or leave it out.`;
  }
  return `Port ${port} of ${host} cannot be opened (${errorText(error)}): choose another with ${variable} or HOST.`;
}
