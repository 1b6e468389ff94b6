import {
  parseBreakerName,
  type BreakerChange,
  type BreakerEvidence,
  type KnownOfBreaker,
  type OpenBreaker,
  type SeenOutcome,
} from '@outdial/calls';
import { accountIdSchema, type BreakerName } from '@outdial/contracts';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';
import type { Reply } from './reply.ts';

const FIELDS_OF_EVIDENCE = 3;
const FIELDS_OF_AN_OPEN_ONE = 7;

export const recordOutcome = defineScript<SeenOutcome, KnownOfBreaker>({
  file: 'record-outcome-2.lua',
  keys: (keys, { breaker }) => [keys.breakers, keys.evidence(breaker)],
  args: ({ breaker, callId, accountId, outcome }) => [breaker, callId, accountId, outcome],
  outcome(reply) {
    reply.oneOf('recorded');
    const streak = reply.integer(1);
    return {
      nowMs: reply.integer(0),
      outage: streak === 0 ? null : { streak, sinceMs: reply.integer(2), untilMs: reply.integer(3) },
      isProbe: reply.text(4) === '1',
      evidence: evidenceFrom(reply, 5),
    };
  },
});

function evidenceFrom(reply: Reply, first: number): readonly BreakerEvidence[] {
  const count = reply.rest(first).length / FIELDS_OF_EVIDENCE;
  return Array.from({ length: count }, (_, index) => {
    const field = first + index * FIELDS_OF_EVIDENCE;
    return {
      atMs: reply.integer(field),
      outcome: reply.text(field + 1) === 'fault' ? 'fault' : 'success',
      accountId: accountIdSchema.parse(reply.text(field + 2)),
    };
  });
}

interface ChangeInput {
  readonly breaker: BreakerName;
  readonly streak: number;
  readonly change: BreakerChange;
}

export const changeBreaker = defineScript<ChangeInput, 'changed' | 'unchanged'>({
  file: 'change-breaker-2.lua',
  keys: (keys, { breaker }) => [keys.breakers, keys.evidence(breaker)],
  args({ breaker, streak, change }) {
    const first = [breaker, naturalArgument('streak', streak), change.kind];
    if (change.kind !== 'open') return first;
    const { forMs, isChecked, owner } = change;
    return [...first, naturalArgument('time of an open breaker', forMs), isChecked ? '1' : '0', owner ?? '-'];
  },
  outcome: (reply) => reply.oneOf('changed', 'unchanged'),
});

export const openBreakers = defineScript<undefined, readonly OpenBreaker[]>({
  file: 'open-breakers-1.lua',
  keys: (keys) => [keys.breakers],
  args: () => [],
  outcome(reply) {
    reply.oneOf('open');
    const count = reply.rest(0).length / FIELDS_OF_AN_OPEN_ONE;
    return Array.from({ length: count }, (_, index) => openBreakerFrom(reply, index * FIELDS_OF_AN_OPEN_ONE)).flat();
  },
});

/** Empty for a name that another version wrote. */
function openBreakerFrom(reply: Reply, field: number): readonly OpenBreaker[] {
  const parsed = parseBreakerName(reply.text(field));
  if (parsed === null) return [];
  const owner = reply.text(field + 6);
  const [streak, sinceMs, untilMs, forMs] = [1, 2, 3, 4].map((offset) => reply.integer(field + offset));
  return [
    {
      breaker: parsed.name,
      streak: streak ?? 0,
      sinceMs: sinceMs ?? 0,
      untilMs: untilMs ?? 0,
      forMs: forMs ?? 0,
      needsCheck: reply.text(field + 5) === '1',
      owner: owner === '-' ? null : accountIdSchema.parse(owner),
    },
  ];
}
