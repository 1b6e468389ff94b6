import { randomBytes } from 'node:crypto';
import { CliError } from '../cli-error.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** A secret of an instance, from an environment variable or a file of the data folder. */
export interface InstanceSecret {
  /** `key pepper` */
  readonly name: string;
  readonly path: string;
  /** The variable that may replace the file. */
  readonly variable: string;
  /** What is unusable without the secret, such as `API keys`. */
  readonly used: string;
  /** Returns null for an invalid secret. */
  readonly parse: (text: string) => Buffer | null;
}

/** Decides whether a missing secret may be generated. */
export interface NewSecretRule {
  /** Whether the database holds data that needs the lost secret. */
  readonly isNeeded: () => Promise<boolean>;
  /** The user passed `--new-secrets` and so discards that data. */
  readonly isDiscarded: boolean;
}

const SECRET_BYTES = 32;

/**
 * The secret of the environment, otherwise the one in the data folder; undefined when neither exists. @throws
 * CliError
 */
export async function findSecret(secret: InstanceSecret, env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  const { name, path, variable, used, parse } = secret;
  const given = env[variable];
  if (given !== undefined && given !== '') {
    const found = parse(given);
    if (found) return found;
    throw new CliError(`${variable} must be at least 32 bytes in hexadecimal or base64: \`openssl rand -hex 32\`.`);
  }
  const text = await readPrivateFile(path);
  if (text === undefined) return undefined;
  const found = parse(text);
  if (found) return found;
  throw new CliError(
    `The ${name} in ${path} is damaged: restore the file, set ${variable}, or remove it and discard all ${used} with \`npm start -- --new-secrets\`.`,
  );
}

/**
 * Like `findSecret`, but generates and keeps a secret when none exists: data saved under it cannot be read without
 * it.
 *
 * @throws CliError when a new secret would make data in the database unusable.
 */
export async function ensureSecret(
  secret: InstanceSecret,
  env: NodeJS.ProcessEnv,
  rule: NewSecretRule,
): Promise<Buffer> {
  const found = await findSecret(secret, env);
  if (found) return found;
  const { name, path, variable, used } = secret;
  if (!rule.isDiscarded && (await rule.isNeeded())) {
    throw new CliError(
      `The ${name} ${path} is missing, and the database holds ${used} that need it: restore the file, set ${variable}, or discard those with \`npm start -- --new-secrets\`.`,
    );
  }
  const made = randomBytes(SECRET_BYTES);
  await writePrivateFile(path, `${made.toString('hex')}\n`);
  return made;
}
