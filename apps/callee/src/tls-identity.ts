import { readFile } from 'node:fs/promises';
import type { SocketTransportOptions } from '@outdial/sip';
import type { CalleeConfig } from './config.ts';
import { reasonOf, StartError } from './start-error.ts';

/**
 * The key and certificate of the TLS listener; empty without TLS.
 * @throws StartError
 */
export async function readTlsIdentity(config: CalleeConfig): Promise<Pick<SocketTransportOptions, 'tls'>> {
  const { OUTDIAL_CALLEE_TLS_PORT: port } = config;
  if (port === undefined) return {};
  const cert = await read('OUTDIAL_CALLEE_TLS_CERTIFICATE', config.OUTDIAL_CALLEE_TLS_CERTIFICATE);
  const key = await read('OUTDIAL_CALLEE_TLS_KEY', config.OUTDIAL_CALLEE_TLS_KEY);
  return { tls: { server: { port, cert, key } } };
}

async function read(name: string, path = ''): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartError(`${name}: ${path} cannot be read (${reasonOf(error)}): name a PEM file.`, error);
  }
}
