import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { EnvError } from '@outdial/kernel';

interface TlsSettings {
  readonly SIP_TLS_PORT?: number | undefined;
  readonly SIP_TLS_CERT?: string | undefined;
  readonly SIP_TLS_KEY?: string | undefined;
}

/** A certificate with its chain, and the matching private key. */
export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly subject: string;
  readonly expiresAtMs: number;
}

export interface TlsServer {
  readonly port: number;
  /** The files as they were at the start. */
  readonly identity: TlsIdentity;
  /** The files as they are now. Rejects if they cannot be used. */
  readonly reread: () => Promise<TlsIdentity>;
}

const DEFAULT_PORT = 5_061;

/**
 * The TLS server settings; null without a certificate. Checked at the start: otherwise the first carrier that ends a
 * call over TLS would hit an unusable certificate.
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
      `SIP_TLS_CERT and SIP_TLS_KEY cannot be used together (${reason}): name the PEM files of a certificate and of its private key.`,
    );
  }
}

/** One line. Certificates increasingly have an empty subject and list their hosts in the alternative names alone. */
function subjectOf({ subject, subjectAltName }: X509Certificate): string {
  return (subject || (subjectAltName ?? '')).replaceAll('\n', ', ');
}

async function read(name: 'SIP_TLS_CERT' | 'SIP_TLS_KEY', path: string | undefined): Promise<Buffer> {
  if (path === undefined) {
    throw new EnvError(
      `${name} is not set: to listen for TLS set SIP_TLS_CERT and SIP_TLS_KEY to PEM files; otherwise unset all of SIP_TLS_PORT, SIP_TLS_CERT and SIP_TLS_KEY.`,
    );
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw new EnvError(`${name}: ${path} cannot be read (${reasonOf(error)}): set it to a readable PEM file.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
