import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { EnvError } from '@outdial/kernel';

interface TlsSettings {
  readonly SIP_TLS_PORT?: number | undefined;
  readonly SIP_TLS_CERT?: string | undefined;
  readonly SIP_TLS_KEY?: string | undefined;
}

export interface TlsServer {
  readonly port: number;
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly validUntilMs: number;
}

const DEFAULT_PORT = 5_061;

/**
 * What is needed to be reached by TLS; null where no certificate is set. Looked at now: a certificate that cannot be used
 * would be met by the first carrier that wants to end a call.
 * @throws EnvError
 */
export async function readTlsServer(settings: TlsSettings): Promise<TlsServer | null> {
  const { SIP_TLS_PORT, SIP_TLS_CERT, SIP_TLS_KEY } = settings;
  if (SIP_TLS_CERT === undefined && SIP_TLS_KEY === undefined && SIP_TLS_PORT === undefined) return null;
  const cert = await read('SIP_TLS_CERT', SIP_TLS_CERT);
  const key = await read('SIP_TLS_KEY', SIP_TLS_KEY);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = reasonOf(error);
    throw new EnvError(
      `SIP_TLS_CERT and SIP_TLS_KEY cannot be used together (${reason}): name the PEM files of one certificate and of its own private key.`,
    );
  }
  const validUntilMs = Date.parse(new X509Certificate(cert).validTo);
  return { port: SIP_TLS_PORT ?? DEFAULT_PORT, cert, key, validUntilMs };
}

async function read(name: 'SIP_TLS_CERT' | 'SIP_TLS_KEY', path: string | undefined): Promise<Buffer> {
  if (path === undefined) {
    throw new EnvError(
      `${name} is not set: to listen for TLS set SIP_TLS_CERT and SIP_TLS_KEY to PEM files, else set none of SIP_TLS_PORT, SIP_TLS_CERT and SIP_TLS_KEY.`,
    );
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw new EnvError(`${name}: ${path} cannot be read (${reasonOf(error)}): name a PEM file.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
