import { randomBytes } from 'node:crypto';
import { CliError } from '../cli-error.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** A secret that an instance works with: in a variable of the environment, or in a file of the data folder. */
export interface KeptSecret {
  /** `key pepper` */
  readonly name: string;
  readonly path: string;
  /** The variable that may hold it instead of the file. */
  readonly variable: string;
  /** What works with it alone: `API keys` */
  readonly used: string;
  /** Null for what cannot be one. */
  readonly parse: (text: string) => Buffer | null;
}

/** Whether a secret may be made, where there is none. */
export interface NewSecretRule {
  /** Whether the database holds what was saved under a secret that is gone. */
  readonly isNeeded: () => Promise<boolean>;
  /** The person at the terminal has given that up. */
  readonly isGivenUp: boolean;
}

const SECRET_BYTES = 32;

/** That of the environment, else the one in the data folder; undefined where neither is. @throws CliError */
export async function findSecret(secret: KeptSecret, env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
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
    `The ${name} in ${path} is damaged: put the old file back, set ${variable}, or remove it and give up all ${used} with \`npm start -- --new-secrets\`.`,
  );
}

/**
 * As `findSecret`, and makes one where there is none. It is kept: what is saved under it works with it alone.
 *
 * @throws CliError where that would silently make useless what the database holds.
 */
export async function ensureSecret(secret: KeptSecret, env: NodeJS.ProcessEnv, rule: NewSecretRule): Promise<Buffer> {
  const found = await findSecret(secret, env);
  if (found) return found;
  const { name, path, variable, used } = secret;
  if (!rule.isGivenUp && (await rule.isNeeded())) {
    throw new CliError(
      `The ${name} ${path} is missing, and the database holds ${used} that work with it alone: put the file back, set ${variable}, or give those up with \`npm start -- --new-secrets\`.`,
    );
  }
  const made = randomBytes(SECRET_BYTES);
  await writePrivateFile(path, `${made.toString('hex')}\n`);
  return made;
}
