import type { SuppressionBody, SuppressionKind, SuppressionSource } from '@outdial/contracts';
import type { SuppressionCheck } from '../account/suppressions.ts';
import { formatDate } from '../format/times.ts';

export const SUPPRESSION_KIND_WORDS: Readonly<Record<SuppressionKind, string>> = {
  opt_out: 'Opted out',
  manual: 'Added manually',
};

export const SUPPRESSION_SOURCE_WORDS: Readonly<Record<SuppressionSource, string>> = {
  call: 'In a call',
  api: 'Through the API',
  dashboard: 'In the dashboard',
  import: 'From a file',
  operator: 'By the operator',
};

interface ListedWords {
  readonly title: string;
  /** Why the number is not called, and what the user can do. */
  readonly text: string;
}

/** Explains that a number is on a do-not-call list, whose list that is, and what to do. Null: it is on none. */
export function listedWords({ by, suppression }: SuppressionCheck, isOwner: boolean): ListedWords | null {
  if (suppression !== null) {
    return {
      title: 'On your do-not-call list',
      text: [entryWords(suppression), remedyWords(suppression, isOwner)].join(' '),
    };
  }
  if (by === null) return null;
  return by === 'platform'
    ? {
        title: 'On the platform’s do-not-call list',
        text: 'No account calls this number. If you think that is a mistake, ask your operator.',
      }
    : { title: 'On your do-not-call list', text: 'Your account does not call this number.' };
}

function entryWords({ kind, created_at: at, reason }: SuppressionBody): string {
  const words =
    kind === 'opt_out' ? `The person opted out on ${formatDate(at)}` : `The number was added on ${formatDate(at)}`;
  return reason === null || reason === '' ? `${words}.` : `${words}: ${quoted(reason)}`;
}

/** A sentence keeps its own period. */
function quoted(reason: string): string {
  return /[.!?…]$/.test(reason) ? `“${reason}”` : `“${reason}”.`;
}

function remedyWords({ kind }: SuppressionBody, isOwner: boolean): string {
  if (kind === 'opt_out') return 'The opt-out stands: only your operator lifts it.';
  return isOwner
    ? 'To call the number, remove it from the list.'
    : 'To call the number, ask an owner to remove it from the list.';
}
