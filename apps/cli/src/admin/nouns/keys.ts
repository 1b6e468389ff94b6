import { accountIdSchema, apiKeyIdSchema, KEY_SCOPES, keyScopesSchema, nameText } from '@outdial/contracts';
import type { ApiKeyRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, isoTimeOrNull, shownTime } from '../columns.ts';
import { instantText, wholeNumberText } from '../inputs.ts';
import type { Json } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

export function addKeyVerbs(program: Command, runVerb: RunVerb): void {
  const keys = createNoun(program, 'keys', 'API keys of accounts.');
  addVerb(keys, runVerb, {
    name: 'create',
    summary: 'Create a key. It is shown now and never again.',
    flags: [
      ['--account <id>', 'whose key'],
      ['--name <text>', 'what it is for'],
      ['--scope <list>', `what it may do: ${KEY_SCOPES.join(', ')}, or both with a comma (default: outbound)`],
      ['--expires-at <time>', 'ISO 8601; without it the key does not expire'],
      ['--requests-per-second <number>', "instead of the service's default limit"],
    ],
    examples: [
      'keys create --account <account-id> --name production',
      'keys create --account <account-id> --name setup --scope outbound,manage',
      'keys create --account <account-id> --name trial --expires-at 2027-01-01T00:00:00Z',
    ],
    changes: true,
    input: z.strictObject({
      account: accountIdSchema,
      name: nameText(200),
      scope: z
        .string()
        .transform((text) => text.split(','))
        .pipe(keyScopesSchema)
        .optional(),
      expiresAt: instantText.optional(),
      requestsPerSecond: wholeNumberText({ min: 1, max: 1_000_000 }).optional(),
    }),
    async run(session, { account, name, scope, expiresAt, requestsPerSecond }) {
      if (expiresAt !== undefined && expiresAt <= session.clock.nowMs()) {
        throw usageError('--expires-at: must be in the future');
      }
      const { key, record } = await session.administration.keys.create({
        accountId: account,
        name,
        pepper: await session.keyPepper(),
        scopes: scope,
        ...(expiresAt !== undefined && { expiresAtMs: expiresAt }),
        ...(requestsPerSecond !== undefined && { requestsPerSecond }),
      });
      const text = ['The key, shown this once:', '', `  ${key}`, '', ...keyText(record)];
      return { json: { key, api_key: keyJson(record) }, text };
    },
  });
  addVerb(keys, runVerb, {
    name: 'list',
    summary: "List an account's keys, including revoked ones.",
    flags: [['--account <id>', 'whose keys']],
    examples: ['keys list --account <account-id>'],
    changes: false,
    input: z.strictObject({ account: accountIdSchema }),
    async run({ administration }, { account }) {
      await administration.accounts.show(account);
      const list = await administration.keys.list(account);
      return { json: { api_keys: list.map(keyJson) }, text: keyTable(list) };
    },
  });
  addVerb(keys, runVerb, {
    name: 'revoke',
    summary: 'Revoke a key. It stops working within a second; accepted calls continue.',
    arguments: [['<key-id>', 'from `keys list`']],
    examples: ['keys revoke 3f1d2a9e-0000-4000-8000-000000000001'],
    changes: true,
    input: z.strictObject({ keyId: apiKeyIdSchema }),
    async run({ administration }, { keyId }) {
      const record = await administration.keys.revoke(keyId);
      return { json: { api_key: keyJson(record) }, text: keyText(record) };
    },
  });
}

function keyJson(key: ApiKeyRecord): Json {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    shown_prefix: key.shownPrefix,
    scopes: key.scopes,
    requests_per_second: key.requestsPerSecond,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoTimeOrNull(key.expiresAtMs),
    revoked_at: isoTimeOrNull(key.revokedAtMs),
    last_used_at: isoTimeOrNull(key.lastUsedAtMs),
  };
}

function keyText(key: ApiKeyRecord): readonly string[] {
  return formatFacts([
    ['Key', key.id],
    ['Account', key.accountId],
    ['Name', key.name],
    ['Begins with', key.shownPrefix],
    ['Scopes', key.scopes.join(', ')],
    ['Created', shownTime(key.createdAtMs)],
    ['Expires', shownTime(key.expiresAtMs)],
    ['Revoked', shownTime(key.revokedAtMs)],
    ['Last used', shownTime(key.lastUsedAtMs)],
  ]);
}

function keyTable(keys: readonly ApiKeyRecord[]): readonly string[] {
  return formatTable<ApiKeyRecord>(
    [
      { title: 'ID', value: (key) => key.id },
      { title: 'NAME', value: (key) => key.name },
      { title: 'BEGINS WITH', value: (key) => key.shownPrefix },
      { title: 'SCOPES', value: (key) => key.scopes.join(', ') },
      { title: 'CREATED', value: (key) => shownTime(key.createdAtMs) },
      { title: 'EXPIRES', value: (key) => shownTime(key.expiresAtMs) },
      { title: 'REVOKED', value: (key) => shownTime(key.revokedAtMs) },
      { title: 'LAST USED', value: (key) => shownTime(key.lastUsedAtMs) },
    ],
    keys,
    'The account has no keys yet: create one with `keys create`.',
  );
}
