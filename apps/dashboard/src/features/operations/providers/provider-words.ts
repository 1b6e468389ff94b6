import type { AccountBreakerBody, OperatedCredentialBody, OperatedLineBody } from '@outdial/contracts';
import { formatClockTime } from '../../../shared/format/times.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import type { Tone } from '../../../shared/words/tone.ts';

/** Why a breaker is open, by whose calls it holds back. */
export const BREAKER_REASONS: Readonly<Record<'all' | AccountBreakerBody['scope'], string>> = {
  all: 'Calls failed: no connection, a timeout, or an answer 5xx or 429.',
  account: 'Calls of this account alone failed: no connection, a timeout, or an answer 5xx or 429.',
  agent_version: 'The provider rejects the requests of one version of an agent.',
};

type Outage = Pick<AccountBreakerBody, 'state' | 'until' | 'openings'>;

/** Such as `Open until 14:26:05`. */
export function breakerState({ state, until }: Outage): { readonly label: string; readonly tone: Tone } {
  return state === 'open'
    ? { label: `Open until ${formatClockTime(until)}`, tone: 'bad' }
    : { label: 'Half-open: one call may try', tone: 'warning' };
}

export function openingsText({ openings }: Outage): string {
  return openings === 1 ? 'once' : `${formatCount(openings)} times in a row`;
}

export interface LineWords {
  /** Such as `3 of 40 in use`. */
  readonly use: string;
  /** Why it takes fewer calls than it could; null if it does not. */
  readonly state: { readonly label: string; readonly tone: Tone } | null;
}

export function lineWords(
  line: OperatedLineBody,
  { check_result: result }: Pick<OperatedCredentialBody, 'check_result'>,
): LineWords {
  const { in_use: inUse, max_calls: most, lowered } = line;
  const use = inUse === null ? `Up to ${formatCount(most)}` : `${formatCount(inUse)} of ${formatCount(most)} in use`;
  if (result === 'rejected') return { use, state: { label: 'Closed', tone: 'bad' } };
  if (inUse !== null && inUse >= most) return { use, state: { label: 'Full', tone: 'warning' } };
  return { use, state: lowered.length > 0 ? { label: 'Lowered', tone: 'warning' } : null };
}

/** What the on-call engineer runs. Without `npm start`, the command needs the installation's environment. */
export function commandsFor({ id }: Pick<OperatedCredentialBody, 'id'>) {
  return {
    check: `npm run admin -- credentials check ${id}`,
    rotate: `npm run admin -- credentials rotate ${id} --from-env NEW_KEY`,
  };
}

/** Null: no credential holds calls of all accounts back. */
export function heldBackText(
  credentials: readonly Pick<OperatedCredentialBody, 'name' | 'check_result' | 'breakers'>[],
): string | null {
  const parts = credentials.flatMap(({ name, check_result: result, breakers }) => {
    if (result === 'rejected') return [`${name}: key rejected`];
    return breakers && breakers.length > 0 ? [`${name}: ${breakers.map(({ model }) => model).join(', ')}`] : [];
  });
  const [shown, more] = [parts.slice(0, MOST_NAMED), parts.length - MOST_NAMED];
  if (shown.length === 0) return null;
  return `${shown.join('; ')}${more > 0 ? `; and ${formatCount(more)} more` : ''}.`;
}

const MOST_NAMED = 5;
