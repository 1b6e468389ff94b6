import { createServer } from 'node:net';
import { CliError, errorCode, errorText } from '../cli-error.ts';

/** Asked before anything is started, so that the answer comes at once and nothing has to be taken down again. */
export async function assertPortFree(host: string, port: number, variable = 'PORT'): Promise<void> {
  const error = await listenOnce(host, port);
  if (error !== undefined) throw new CliError(sentenceFor(error, { host, port, variable }), { cause: error });
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
