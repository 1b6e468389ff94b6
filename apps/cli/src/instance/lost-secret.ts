import { CliError } from '../cli-error.ts';

/** Whether a secret may be made, where there is none. */
export interface NewSecretRule {
  /** Whether the database holds what was saved under a secret that is gone. */
  readonly isNeeded: () => Promise<boolean>;
  /** The person at the terminal has given that up. */
  readonly isGivenUp: boolean;
}

export interface LostSecret {
  /** `key pepper` */
  readonly name: string;
  readonly path: string;
  /** The variable that may hold it instead of the file. */
  readonly variable: string;
  /** What works with it alone: `API keys` */
  readonly used: string;
}

/** @throws CliError where a new secret would silently make useless what the database holds. */
export async function assertMayBeMade(secret: LostSecret, rule: NewSecretRule): Promise<void> {
  if (rule.isGivenUp || !(await rule.isNeeded())) return;
  const { name, path, variable, used } = secret;
  throw new CliError(
    `The ${name} ${path} is missing, and the database holds ${used} that work with it alone: put the file back, set ${variable}, or give those up with \`npm start -- --new-secrets\`.`,
  );
}
