import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { EnvError } from '@outdial/kernel';

interface TlsSettings {
  readonly SIP_TLS_PORT?: number | undefined;
  readonly SIP_TLS_CERT?: string | undefined;
  readonly SIP_TLS_KEY?: string | undefined;
}

/** A certificate with its chain, and its private key, which belong together. */
export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly subject: string;
  readonly expiresAtMs: number;
}

export interface TlsServer {
  readonly port: number;
  /** As the files were at the start. */
  readonly identity: TlsIdentity;
  /** As the files are now. Rejects when they cannot be used. */
  readonly reread: () => Promise<TlsIdentity>;
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
  const reread = () => readIdentity(settings);
  return { port: SIP_TLS_PORT ?? DEFAULT_PORT, identity: await reread(), reread };
}

async function readIdentity({ SIP_TLS_CERT, SIP_TLS_KEY }: TlsSettings): Promise<TlsIdentity> {
  const cert = await read('SIP_TLS_CERT', SIP_TLS_CERT);
  const key = await read('SIP_TLS_KEY', SIP_TLS_KEY);
  try {
    createSecureContext({ cert, key });
    const certificate = new X509Certificate(cert);
    return { cert, key, subject: subjectOf(certificate), expiresAtMs: Date.parse(certificate.validTo) };
  } catch (error) {
    const reason = reasonOf(error);
    throw new EnvError(
      `SIP_TLS_CERT and SIP_TLS_KEY cannot be used together (${reason}): name the PEM files of one certificate and of its own private key.`,
    );
  }
}

/** One line. Authorities leave the subject empty more and more, and name hosts beside it alone. */
function subjectOf({ subject, subjectAltName }: X509Certificate): string {
  return (subject || (subjectAltName ?? '')).replaceAll('\n', ', ');
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
