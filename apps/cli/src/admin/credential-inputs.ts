import {
  accountIdSchema,
  addressProblems,
  credentialFields,
  providerKeyText,
  type AccountId,
  type Provider,
} from '@outdial/contracts';
import { egressScopeOf } from '@outdial/providers';
import { z } from 'zod';
import { usageError } from '../cli-error.ts';
import { wholeNumberText } from './inputs.ts';
import type { AdminSession } from './session.ts';

/** Whose credential or secret it is; without it a credential is the operator's. */
export const ownerField = accountIdSchema.optional();
export const OWNER_FLAG = ['--account <id>', 'whose credential (default: the operator’s, for every account)'] as const;

export const variableField = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, such as OPENAI_API_KEY');
export const VARIABLE_FLAG = ['--from-env <variable>', 'the environment variable that holds the key'] as const;

const MAX_CALLS = { min: 1, max: 1_000_000 };
const STARTS_PER_SECOND = { min: 1, max: 100_000 };
const GENERATIONS = { min: 1, max: 10_000 };

export const newCredentialFields = {
  provider: credentialFields.provider,
  name: credentialFields.name.optional(),
  fromEnv: variableField.optional(),
  account: ownerField,
  baseUrl: credentialFields.base_url,
  region: credentialFields.region,
  limitsGroup: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 lowercase letters, digits and hyphens')
    .optional(),
  maxCalls: wholeNumberText(MAX_CALLS).optional(),
  startsPerSecond: wholeNumberText(STARTS_PER_SECOND).optional(),
  maxGenerations: wholeNumberText(GENERATIONS).optional(),
};

/** What is sent to a server that asks for no key. Such servers ignore it. */
export const NO_KEY = 'no-key';

/** A server of one's own needs neither: there is often one of them, and no key. */
export function requireNameAndKey(
  { provider, name, fromEnv }: z.output<z.ZodObject<Pick<typeof newCredentialFields, 'provider' | 'name' | 'fromEnv'>>>,
  context: z.RefinementCtx,
): void {
  if (provider === 'local') return;
  const refuse = (field: string) => context.addIssue({ code: 'custom', path: [field], message: 'is missing' });
  if (name === undefined) refuse('name');
  if (fromEnv === undefined) refuse('fromEnv');
}

const orDefault = (bounds: Parameters<typeof wholeNumberText>[0]) =>
  z.union([z.literal('default').transform(() => null), wholeNumberText(bounds)]).optional();

/** `default` removes a limit. */
export const changedLimitFields = {
  maxCalls: orDefault(MAX_CALLS),
  startsPerSecond: orDefault(STARTS_PER_SECOND),
  maxGenerations: orDefault(GENERATIONS),
};

/**
 * A secret of the environment: other users of the machine can read a command line. No message contains it.
 * @throws CliError
 */
export function readVariable({ env }: Pick<AdminSession, 'env'>, variable: string): string {
  const value = env[variable];
  if (value !== undefined && value !== '') return value;
  throw usageError(`--from-env: the environment variable ${variable} is not set`);
}

/** @throws CliError */
export function readProviderKey(session: Pick<AdminSession, 'env'>, variable: string): string {
  const result = providerKeyText.safeParse(readVariable(session, variable));
  if (result.success) return result.data;
  throw usageError(`--from-env: the key in ${variable} ${result.error.issues[0]?.message ?? 'is not valid'}`);
}

/** @throws CliError */
export function requireAddress(
  { egress }: Pick<AdminSession, 'egress'>,
  given: {
    readonly provider: Provider;
    readonly baseUrl: string | undefined;
    readonly region: string | undefined;
    readonly owner: AccountId | null;
  },
): void {
  const [problem] = addressProblems({ ...given, ofOperator: given.owner === null });
  if (problem !== undefined) throw usageError(`--${problem.field.replace('_', '-')}: ${problem.message}`);
  if (given.baseUrl === undefined) return;
  const checked = egress.check(given.baseUrl, egressScopeOf({ accountId: given.owner }));
  if (checked.ok) return;
  const advice = given.owner === null ? '. OUTDIAL_EGRESS_ALLOW names addresses of your own network' : '';
  throw usageError(`--base-url: ${checked.problem}${advice}`);
}
