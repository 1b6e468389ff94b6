import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '@outdial/local-stores';

import { LOCALHOST_IDENTITY } from './telephones/tls-identity.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** A port at which one server of Redis also speaks TLS, as `localhost`. */
export interface TlsPort {
  readonly port: number;
  /** Lines of its configuration. Its servers speak TLS to each other as well. */
  readonly settings: readonly string[];
}

/** A certificate is for a name, so servers must announce names. */
export async function redisTlsPort(): Promise<TlsPort> {
  const dir = await makeTemporaryDir();
  const files = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem'), authority: join(dir, 'authority.pem') };
  await Promise.all([
    writeFile(files.cert, LOCALHOST_IDENTITY.certificate),
    writeFile(files.key, LOCALHOST_IDENTITY.key),
    writeFile(files.authority, LOCALHOST_IDENTITY.authority),
  ]);
  const port = await freePort();
  return {
    port,
    settings: [
      `tls-port ${port}`,
      `tls-cert-file "${files.cert}"`,
      `tls-key-file "${files.key}"`,
      `tls-ca-cert-file "${files.authority}"`,
      'tls-auth-clients no',
      'tls-replication yes',
    ],
  };
}
