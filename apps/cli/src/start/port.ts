import { createServer } from 'node:net';
import { CliError, errorCode, errorText } from '../cli-error.ts';

/** Checked before anything starts, so that the error is immediate and there is nothing to stop. */
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

interface PortSetting {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
}

function sentenceFor(error: Error, { host, port, variable }: PortSetting): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop that program, or choose another port with \`${variable}=${port + 1} npm start\`.`;
  }
  if (code === 'EACCES') {
    return `The current user may not open port ${port}: choose one above 1023, such as \`${variable}=3000 npm start\`.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine: set HOST to one of its addresses, or remove HOST.`;
  }
  return `Port ${port} of ${host} cannot be opened (${errorText(error)}): choose another with ${variable} or HOST.`;
}
