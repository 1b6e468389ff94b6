import { randomUUID } from 'node:crypto';
import { accountIdSchema, idempotencyKeySchema } from '@outdial/contracts';
import type { LedgerRecord, WalletRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, money, shownMoney, shownTime } from '../columns.ts';
import { amountText, wholeNumberText } from '../inputs.ts';
import type { Json } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const ACCOUNT = ['--account <id>', 'whose wallet'] as const;

export function addWalletVerbs(program: Command, runVerb: RunVerb): void {
  const wallet = createNoun(program, 'wallet', 'Wallets hold the funds that pay for calls.');
  addTopUpVerb(wallet, runVerb);
  addVerb(wallet, runVerb, {
    name: 'show',
    summary: 'Show the balance, the amount on hold for open calls, and the available rest.',
    flags: [ACCOUNT],
    examples: ['wallet show --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    async run({ administration }, { account }) {
      const record = await administration.wallets.show(account);
      return { json: { wallet: walletJson(record) }, text: walletText(record) };
    },
  });
  addVerb(wallet, runVerb, {
    name: 'ledger',
    summary: 'List the credits and charges, the newest first.',
    flags: [
      ACCOUNT,
      ['--limit <number>', 'entries, 1 to 1000 (default: 50)'],
      ['--before <entry>', 'only entries older than this id'],
    ],
    examples: [
      'wallet ledger --account <account-id>',
      'wallet ledger --account <account-id> --before 1042 --limit 200',
    ],
    changes: false,
    input: z.strictObject({
      account: accountIdSchema,
      limit: wholeNumberText({ min: 1, max: 1_000 }).default(50),
      before: z
        .string()
        .regex(/^\d{1,18}$/, 'must be the id of a ledger entry')
        .optional(),
    }),
    async run({ administration }, { account, limit, before }) {
      const { currency } = await administration.wallets.show(account);
      const page = { accountId: account, limit, ...(before !== undefined && { before }) };
      const entries = await administration.wallets.ledger(page);
      return { json: { entries: entries.map(entryJson) }, text: ledgerTable(entries, currency) };
    },
  });
}

function addTopUpVerb(wallet: Command, runVerb: RunVerb): void {
  addVerb(wallet, runVerb, {
    name: 'top-up',
    summary: 'Add funds. Repeating it with the same idempotency key adds them once.',
    flags: [
      ACCOUNT,
      ['--amount <decimal>', "in units of the wallet's currency"],
      ['--idempotency-key <text>', 'makes a retry safe (default: a generated key, which is shown)'],
    ],
    examples: [
      'wallet top-up --account <account-id> --amount 25.00',
      'wallet top-up --account <account-id> --amount 500 --idempotency-key invoice-2026-0042',
    ],
    changes: true,
    input: z.strictObject({
      account: accountIdSchema,
      amount: amountText,
      idempotencyKey: idempotencyKeySchema.optional(),
    }),
    async run(session, { account, amount, idempotencyKey = randomUUID() }) {
      const { wallets } = session.administration;
      const { entry, repeated, limits } = await wallets.topUp({
        accountId: account,
        amountMicros: amount,
        idempotencyKey,
      });
      const notes = await session.refreshAccount(limits);
      const record = await wallets.show(account);
      const done = repeated ? 'Already added, and not added again:' : 'Added';
      return {
        json: { entry: entryJson(entry), repeated, wallet: walletJson(record) },
        text: [
          `${done} ${shownMoney(entry.amountMicros, record.currency)} (idempotency key ${idempotencyKey}).`,
          '',
          ...walletText(record),
        ],
        notes,
      };
    },
  });
}

function walletJson(wallet: WalletRecord): Json {
  return {
    account_id: wallet.accountId,
    currency: wallet.currency,
    balance: money(wallet.balanceMicros),
    held: money(wallet.heldMicros),
    available: money(wallet.availableMicros),
  };
}

function walletText(wallet: WalletRecord): readonly string[] {
  return formatFacts([
    ['Account', wallet.accountId],
    ['Balance', shownMoney(wallet.balanceMicros, wallet.currency)],
    ['Reserved', shownMoney(wallet.heldMicros, wallet.currency)],
    ['Available', shownMoney(wallet.availableMicros, wallet.currency)],
  ]);
}

function entryJson(entry: LedgerRecord): Json {
  return {
    id: entry.id,
    kind: entry.kind,
    amount: money(entry.amountMicros),
    call_id: entry.callId,
    idempotency_key: entry.idempotencyKey,
    created_at: isoTime(entry.createdAtMs),
  };
}

function ledgerTable(entries: readonly LedgerRecord[], currency: string): readonly string[] {
  return formatTable<LedgerRecord>(
    [
      { title: 'ENTRY', value: (entry) => entry.id, align: 'right' },
      { title: 'TIME', value: (entry) => shownTime(entry.createdAtMs) },
      { title: 'KIND', value: (entry) => entry.kind },
      { title: 'AMOUNT', value: (entry) => shownMoney(entry.amountMicros, currency), align: 'right' },
      { title: 'CALL OR KEY', value: (entry) => entry.callId ?? entry.idempotencyKey ?? '' },
    ],
    entries,
    'The ledger is empty.',
  );
}
