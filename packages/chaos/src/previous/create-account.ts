import { fileURLToPath } from 'node:url';
import { accountIdSchema, agentIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import type { Account, AccountOptions } from '../stack/account.ts';
import type { Receivers } from '../stack/receivers.ts';
import type { PreviousVersion } from './previous-version.ts';
import { runIn } from './run-in.ts';

const PROGRAM = fileURLToPath(new URL('create-account.mjs', import.meta.url).href.replace('/dist/', '/src/'));

const outputSchema = z.object({
  account: z.object({
    id: accountIdSchema,
    agentId: agentIdSchema,
    agentIds: z.array(agentIdSchema),
    apiKey: z.string(),
  }),
  secret: z.string(),
});

export interface PreviousAccountPlan {
  readonly databaseUrl: string;
  readonly pepperHex: string;
  readonly receivers: Receivers;
  readonly options: AccountOptions;
}

/** What `createAccount` does, by the code of the previous version: today's need not work with its schema. */
export async function createAccountBefore(
  { root }: PreviousVersion,
  { databaseUrl, pepperHex, receivers, options: { balanceMicros, ...options } }: PreviousAccountPlan,
): Promise<Account> {
  const written = { ...options, balanceMicros: balanceMicros?.toString() };
  const input = { root, databaseUrl, pepperHex, receiversUrl: receivers.url, options: written };
  const output = await runIn(root, process.execPath, [PROGRAM, JSON.stringify(input)]);
  const { account, secret } = outputSchema.parse(JSON.parse(output));
  receivers.open(account.id, secret);
  return account;
}
