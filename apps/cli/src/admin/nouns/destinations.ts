import { accountIdSchema } from '@outdial/contracts';
import type { Command } from 'commander';
import { z } from 'zod';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const PREFIX = [
  ['<prefix>', 'digits after the plus sign: 1900 stands for every number that begins with +1900'],
] as const;
const ACCOUNT = [['--account <id>', 'whose calls']] as const;
const destinationInput = z.strictObject({
  prefix: z.string().regex(/^[1-9]\d{0,14}$/, 'must be 1 to 15 digits, the first not 0, without a plus sign'),
  account: accountIdSchema,
});

export function addDestinationVerbs(program: Command, runVerb: RunVerb): void {
  const destinations = createNoun(program, 'destinations', 'Destinations that an account may not call.');
  addVerb(destinations, runVerb, {
    name: 'block',
    summary: 'Block an account’s calls to numbers that begin with a prefix.',
    arguments: PREFIX,
    flags: ACCOUNT,
    examples: ['destinations block 1900 --account <account-id>'],
    changes: true,
    input: destinationInput,
    async run({ administration }, { prefix, account }) {
      await administration.blockedDestinations.add({ accountId: account, prefix });
      return { json: { blocked: prefix }, text: [`Account ${account} may not call +${prefix}….`] };
    },
  });
  addVerb(destinations, runVerb, {
    name: 'unblock',
    summary: 'Unblock a prefix for an account.',
    arguments: PREFIX,
    flags: ACCOUNT,
    examples: ['destinations unblock 1900 --account <account-id>'],
    changes: true,
    input: destinationInput,
    async run({ administration }, { prefix, account }) {
      await administration.blockedDestinations.remove({ accountId: account, prefix });
      return { json: { blocked: null }, text: [`+${prefix}… is not blocked for account ${account}.`] };
    },
  });
  addVerb(destinations, runVerb, {
    name: 'list',
    summary: 'List the prefixes that are blocked for an account.',
    flags: ACCOUNT,
    examples: ['destinations list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    async run({ administration }, { account }) {
      await administration.accounts.show(account);
      const prefixes = await administration.blockedDestinations.list(account);
      const text = prefixes.length === 0 ? ['Nothing is blocked.'] : prefixes.map((prefix) => `+${prefix}`);
      return { json: { blocked: prefixes }, text };
    },
  });
}
