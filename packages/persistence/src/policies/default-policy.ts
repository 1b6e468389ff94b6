import { policyPackSchema, type PolicyPack } from '@outdial/contracts';
import type { EnvSpec } from '@outdial/kernel';
import { PACKS } from '@outdial/policies';
import type { Database } from '../database.ts';

/** What the API and the command line read. */
export const defaultPolicyEnv = {
  OUTDIAL_DEFAULT_POLICY: {
    schema: policyPackSchema.default('standard'),
    description:
      'The calling policy of new accounts: `standard` (8:00 to 21:00 by the callee’s clock, 3 calls a day to a number), `us` or `open`. It is read once, at the first start with a database; later `admin policy default set` changes it.',
  },
} as const satisfies EnvSpec;

/**
 * Stores the policy that new accounts begin with, unless the database has one: a later start changes nothing. What
 * makes an account calls it before.
 */
export async function ensureDefaultPolicy({ side }: Pick<Database, 'side'>, pack: PolicyPack): Promise<void> {
  await side.$executeRaw`
    UPDATE system_settings SET default_policy = ${JSON.stringify(PACKS[pack].settings)}::jsonb
    WHERE id = 1 AND default_policy IS NULL`;
}
