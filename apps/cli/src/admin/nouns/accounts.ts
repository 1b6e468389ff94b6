import { accountIdSchema, currencySchema, nameText } from '@outdial/contracts';
import { parseEnv } from '@outdial/kernel';
import { defaultPolicyEnv, type AccountRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, money, shownMoney, shownTime, yesOrNo } from '../columns.ts';
import { wholeNumberText } from '../inputs.ts';
import type { Json } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const ACCOUNT_ID = [['<account-id>', 'from `accounts list`']] as const;
const accountInput = z.strictObject({ accountId: accountIdSchema });

export function addAccountVerbs(program: Command, runVerb: RunVerb): void {
  const accounts = createNoun(program, 'accounts', 'Accounts own calls, agents, numbers, keys and a wallet.');
  addVerb(accounts, runVerb, {
    name: 'create',
    summary: 'Create an account with an empty wallet.',
    flags: [
      ['--name <text>', 'its name'],
      ['--currency <code>', 'currency of its wallet and calls; it cannot change later (default: USD)'],
      ['--capacity <calls>', 'the most calls that may be open at once (default: 10)'],
      ['--use-system-number', 'may call from the system number when it has no number'],
    ],
    examples: ["accounts create --name 'Acme'", "accounts create --name 'Acme Europe' --currency EUR --capacity 50"],
    changes: true,
    input: z.strictObject({
      name: nameText(200),
      currency: currencySchema.default('USD'),
      capacity: wholeNumberText({ min: 0, max: 1_000_000 }).default(10),
      useSystemNumber: z.literal(true).optional(),
    }),
    async run({ administration, env }, { useSystemNumber, ...input }) {
      await administration.policies.ensureDefault(parseEnv(defaultPolicyEnv, env).OUTDIAL_DEFAULT_POLICY);
      const account = await administration.accounts.create({ ...input, mayUseSystemNumber: useSystemNumber === true });
      return { json: { account: accountJson(account) }, text: accountText(account) };
    },
  });
  addVerb(accounts, runVerb, {
    name: 'list',
    summary: 'List all accounts, the oldest first.',
    examples: ['accounts list', 'accounts list --json'],
    changes: false,
    input: z.strictObject({}),
    async run({ administration }) {
      const list = await administration.accounts.list();
      return { json: { accounts: list.map(accountJson) }, text: accountTable(list) };
    },
  });
  addVerb(accounts, runVerb, {
    name: 'show',
    summary: 'Show one account.',
    arguments: ACCOUNT_ID,
    examples: ['accounts show 0190f3c4-0000-7000-8000-000000000001'],
    changes: false,
    input: accountInput,
    async run({ administration }, { accountId }) {
      const account = await administration.accounts.show(accountId);
      return { json: { account: accountJson(account) }, text: accountText(account) };
    },
  });
  addVerb(accounts, runVerb, {
    name: 'set',
    summary: 'Set how much of its slots the campaigns of an account may use together. The rest is for single calls.',
    arguments: ACCOUNT_ID,
    flags: [['--campaign-percent <percent>', '1 to 100; rounded down, and one slot at least (a new account: 80)']],
    examples: ['accounts set 0190f3c4-0000-7000-8000-000000000001 --campaign-percent 60'],
    changes: true,
    input: accountInput.extend({ campaignPercent: wholeNumberText({ min: 1, max: 100 }) }),
    async run({ administration }, { accountId, ...changes }) {
      const { account } = await administration.accounts.update(accountId, changes);
      return { json: { account: accountJson(account) }, text: accountText(account) };
    },
  });
  for (const enabled of [true, false]) {
    const name = enabled ? 'enable' : 'disable';
    addVerb(accounts, runVerb, {
      name,
      summary: enabled
        ? 'Enable a disabled account and its keys.'
        : 'Disable an account: its keys stop working within a second, its queued calls are cancelled, and active calls continue (end them with `calls list --account <id> --status in_progress` and `calls end`).',
      arguments: ACCOUNT_ID,
      examples: [`accounts ${name} 0190f3c4-0000-7000-8000-000000000001`],
      changes: true,
      input: accountInput,
      async run({ administration }, { accountId }) {
        const account = await administration.accounts.setEnabled(accountId, enabled);
        return { json: { account: accountJson(account) }, text: accountText(account) };
      },
    });
  }
}

function accountJson(account: AccountRecord): Json {
  return {
    id: account.id,
    name: account.name,
    currency: account.currency,
    enabled: account.enabled,
    capacity: account.capacity,
    campaign_percent: account.campaignPercent,
    balance: money(account.balanceMicros),
    may_use_system_number: account.mayUseSystemNumber,
    limits: {
      max_duration_seconds: account.maxDurationSeconds,
      ring_timeout_seconds: account.ringTimeoutSeconds,
    },
    created_at: isoTime(account.createdAtMs),
  };
}

function accountText(account: AccountRecord): readonly string[] {
  return formatFacts([
    ['Account', account.id],
    ['Name', account.name],
    ['Enabled', yesOrNo(account.enabled)],
    ['Balance', shownMoney(account.balanceMicros, account.currency)],
    ['Capacity', `${account.capacity} open calls`],
    ['Campaigns', `may use ${account.campaignPercent} % of them`],
    ['System number', account.mayUseSystemNumber ? 'may be used' : 'may not be used'],
    ['Max duration', `${account.maxDurationSeconds} s`],
    ['Ring timeout', `${account.ringTimeoutSeconds} s`],
    ['Created', shownTime(account.createdAtMs)],
  ]);
}

function accountTable(accounts: readonly AccountRecord[]): readonly string[] {
  return formatTable<AccountRecord>(
    [
      { title: 'ID', value: (account) => account.id },
      { title: 'NAME', value: (account) => account.name },
      { title: 'BALANCE', value: (account) => shownMoney(account.balanceMicros, account.currency), align: 'right' },
      { title: 'CAPACITY', value: (account) => String(account.capacity), align: 'right' },
      { title: 'ENABLED', value: (account) => yesOrNo(account.enabled) },
      { title: 'CREATED', value: (account) => shownTime(account.createdAtMs) },
    ],
    accounts,
    'There are no accounts yet: create one with `accounts create`.',
  );
}
