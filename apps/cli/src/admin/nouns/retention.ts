import {
  LEAST_KEY_DAYS,
  MOST_DAYS,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionSettings,
} from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { wholeNumberText } from '../inputs.ts';
import type { Report } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

/** What a kind is, and what holds of it without a setting. */
const KINDS: Readonly<
  Record<RetentionKind, { readonly flag: string; readonly what: string; readonly otherwise: string }>
> = {
  calls: {
    flag: '--calls <days>',
    what: 'ended calls, with all that belongs to them except for the ledger',
    otherwise: 'forever',
  },
  timelines: { flag: '--timelines <days>', what: 'timelines of ended calls', otherwise: 'as long as the call' },
  recordings: {
    flag: '--recordings <days>',
    what: 'recordings',
    otherwise: 'OUTDIAL_RECORDING_RETENTION_DAYS of the workers, else as long as the call',
  },
  webhooks: {
    flag: '--webhooks <days>',
    what: 'sent webhooks and their log',
    otherwise: 'OUTDIAL_WEBHOOK_RETENTION_DAYS of the workers, else 14 days',
  },
  audit: { flag: '--audit <days>', what: 'audit entries', otherwise: 'forever' },
  idempotency_keys: {
    flag: '--idempotency-keys <days>',
    what: 'idempotency keys of deleted calls, after the deletion',
    otherwise: `${LEAST_KEY_DAYS} days`,
  },
};

const DEFAULT = 'default';
const daysText = (least: number) => z.union([z.literal(DEFAULT), wholeNumberText({ min: least, max: MOST_DAYS })]);
const days = daysText(1).optional();

const INPUT = z.strictObject({
  calls: days,
  timelines: days,
  recordings: days,
  webhooks: days,
  audit: days,
  idempotencyKeys: daysText(LEAST_KEY_DAYS).optional(),
});

export function addRetentionVerbs(program: Command, runVerb: RunVerb): void {
  const retention = createNoun(program, 'retention', 'How long data is kept. The ledger is never deleted.');
  addVerb(retention, runVerb, {
    name: 'show',
    summary: 'Show how long each kind of data is kept.',
    examples: ['retention show'],
    changes: false,
    input: z.strictObject({}),
    run: async ({ administration }) => reportOf(await administration.retention.show()),
  });
  addVerb(retention, runVerb, {
    name: 'set',
    summary: 'Change how long data is kept. What is older is deleted within hours and cannot be restored.',
    flags: RETENTION_KINDS.map(
      (kind) => [KINDS[kind].flag, `days to keep ${KINDS[kind].what}, or ${DEFAULT}`] as const,
    ),
    examples: ['retention set --calls 365 --timelines 90', `retention set --calls ${DEFAULT}`],
    changes: true,
    input: INPUT,
    async run({ administration }, { idempotencyKeys, ...given }) {
      const asked = Object.entries({ ...given, idempotency_keys: idempotencyKeys });
      const changes = asked.flatMap(([kind, value]) =>
        value === undefined ? [] : [[kind, value === DEFAULT ? null : value] as const],
      );
      return reportOf(await administration.retention.set(Object.fromEntries(changes)));
    },
  });
}

function reportOf(settings: RetentionSettings): Report {
  const json = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, settings[kind] ?? null]));
  const text = RETENTION_KINDS.map((kind) => {
    const own = settings[kind];
    const { what, otherwise } = KINDS[kind];
    return `${kind}: ${own === undefined ? `${otherwise} (default)` : daysIn(own)}. These are ${what}.`;
  });
  return { json: { retention: json }, text: [...text, 'ledger: forever. It keeps the ids of deleted calls.'] };
}

function daysIn(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
