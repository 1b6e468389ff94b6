import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import { EnvError } from '@outdial/kernel';
import { z } from 'zod';

export const ipv4Address = z.string().refine((text) => isIPv4(text), 'must be an IPv4 address, such as 192.0.2.10');

/** An address that SDP and Via can name to a far end. */
export const reachableAddress = ipv4Address.refine((text) => text !== '0.0.0.0', 'must be one address, not 0.0.0.0');

/** A range such as `20000-21999`: the first port, which is even, and the last. */
export const portRange = z.string().transform((text, context) => {
  const groups = /^(?<first>\d{1,5})-(?<last>\d{1,5})$/.exec(text)?.groups;
  const [firstPort, lastPort] = [Number(groups?.['first']), Number(groups?.['last'])];
  const isRange = firstPort >= 1_024 && firstPort % 2 === 0 && lastPort > firstPort && lastPort < 65_536;
  if (isRange) return { firstPort, lastPort };
  context.addIssue('must be an even port from 1024 on and a later one, such as 20000-21999');
  return z.NEVER;
});

export const secretKey = z.string().transform((text, context) => {
  const key = parseSecretKey(text);
  if (key === null) context.addIssue('must be at least 32 bytes in hexadecimal or base64');
  return key ?? z.NEVER;
});

interface AddressSettings {
  readonly SIP_LISTEN_ADDRESS: string;
  readonly SIP_PUBLIC_ADDRESS?: string | undefined;
}

/** The address for RTP that the worker names to far ends. @throws EnvError if there is none */
export function mediaAddressOf({ SIP_LISTEN_ADDRESS, SIP_PUBLIC_ADDRESS }: AddressSettings): string {
  if (SIP_PUBLIC_ADDRESS !== undefined) return SIP_PUBLIC_ADDRESS;
  if (SIP_LISTEN_ADDRESS !== '0.0.0.0') return SIP_LISTEN_ADDRESS;
  throw new EnvError(
    'SIP_PUBLIC_ADDRESS is not set, and SIP_LISTEN_ADDRESS is 0.0.0.0: set SIP_PUBLIC_ADDRESS to the address at which carriers reach this machine.',
  );
}

/** The configured secret key, else the one in the data folder. @throws EnvError */
/** Null: there is none, and nothing that it sealed can be opened. */
export async function secretKeyIfAny(settings: Parameters<typeof secretKeyOf>[0]): Promise<SecretKey | null> {
  try {
    return await secretKeyOf(settings);
  } catch (error) {
    if (error instanceof EnvError) return null;
    throw error;
  }
}

export async function secretKeyOf(settings: {
  readonly OUTDIAL_SECRET_KEY?: SecretKey | undefined;
  readonly OUTDIAL_DATA_DIR: string;
}): Promise<SecretKey> {
  if (settings.OUTDIAL_SECRET_KEY !== undefined) return settings.OUTDIAL_SECRET_KEY;
  const path = join(settings.OUTDIAL_DATA_DIR, 'secret-key');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new EnvError(
      `OUTDIAL_SECRET_KEY is not set, and ${path} cannot be read: set it to the secret that the trunks' passwords were saved with, or to a new one (openssl rand -hex 32).`,
    );
  }
  const key = parseSecretKey(text);
  if (key) return key;
  throw new EnvError(`${path} is damaged: restore the old file, or set OUTDIAL_SECRET_KEY.`);
}
