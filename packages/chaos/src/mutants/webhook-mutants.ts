import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

/** The safeguards of webhooks: each arrives, in order, and goes only where it may. */
export const WEBHOOK_MUTANTS = {
  webhook_announced: {
    guarantee: 'an event is announced by the statement that writes it',
    patches: [
      {
        file: migrationOf('TRIGGER', 'call_events_announced'),
        find: 'TRIGGER call_events_announced AFTER INSERT ON call_events\n',
        replace: 'TRIGGER call_events_announced AFTER INSERT ON webhook_replays\n',
      },
    ],
    drill: 'webhook_announced',
  },
  webhook_fence: {
    guarantee: 'the outcome of an attempt that was repeated does not end its delivery',
    patches: [{ file: migrationOf('FUNCTION', 'finish_webhooks'), find: ' AND l.attempts = i.attempt', replace: '' }],
    drill: 'webhook_fence',
  },
  webhook_order: {
    guarantee: 'an event waits for the earlier ones of its call',
    patches: [{ file: migrationOf('FUNCTION', 'claim_webhooks'), find: 'c.waits_until IS NULL AND ', replace: '' }],
    drill: 'webhook_order',
  },
  webhook_address: {
    guarantee: 'requests go only to addresses that are allowed',
    patches: [
      {
        file: 'packages/egress/src/guarded-lookup.ts',
        find: `        if (refusal !== undefined) return callback(refusal, '');\n`,
        replace: '',
      },
    ],
    drill: 'webhook_address',
  },
} satisfies Readonly<Record<string, Mutant>>;
