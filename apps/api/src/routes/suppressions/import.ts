import type { E164, SuppressionImportBody } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import { importNumbers, NumbersFileError, type AddOutcome, type ImportReport } from '@outdial/persistence';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import type { SuppressionDeps } from './handlers.ts';
import { importSuppressionsContract } from './import-contract.ts';

export interface ImportSuppressionsDeps extends SuppressionDeps {
  readonly clock: Clock;
  /** Whether the sender still has access: an upload may outlive its key or its session. */
  readonly hasAccess: (principal: AccountPrincipal) => Promise<boolean>;
  readonly isStoreUnavailable: (error: unknown) => boolean;
}

/** A moment without Postgres must not waste an upload of minutes. */
const MOST_TRIES = 4;
const RETRY_MS = 300;
const ACCESS_TRUSTED_FOR_MS = 5_000;

export function importSuppressionsRoute(deps: ImportSuppressionsDeps): AccountRoute {
  /** The accounts whose import this process runs. */
  const importing = new Set<string>();
  return defineRoute(
    importSuppressionsContract,
    async ({ principal, query: { column, reason }, body: chunks }) => {
      const accountId = principal.account.id;
      if (importing.has(accountId)) throw oneAtATime();
      importing.add(accountId);
      try {
        const added = ownAccountOf(deps, principal).suppressions.beginImport({ source: 'import', reason });
        const add = checkingAccess(deps, principal, (numbers) => patiently(deps, accountId, () => added.add(numbers)));
        return { status: 200, body: bodyOf(await importNumbers(chunks, { column, add })) };
      } catch (error) {
        throw error instanceof NumbersFileError
          ? invalidRequest([{ param: error.param, message: error.problem }])
          : error;
      } finally {
        importing.delete(accountId);
      }
    },
    // It takes as long as the upload. Each part is one statement: a client that knows no end repeats the import.
    { keepsDeadline: true },
  );
}

type Add = (numbers: readonly E164[]) => Promise<AddOutcome>;

/** One statement in the account's turn: imports must not keep the reads of other accounts waiting. */
async function patiently(
  { heavyReads, clock, isStoreUnavailable }: ImportSuppressionsDeps,
  accountId: AccountPrincipal['account']['id'],
  add: () => Promise<AddOutcome>,
): Promise<AddOutcome> {
  for (let triesLeft = MOST_TRIES; ;) {
    try {
      return await heavyReads.readPart(accountId, add);
    } catch (error) {
      triesLeft -= 1;
      if (triesLeft === 0 || !isStoreUnavailable(error)) throw error;
      await pause(clock, RETRY_MS);
    }
  }
}

function checkingAccess({ clock, hasAccess }: ImportSuppressionsDeps, principal: AccountPrincipal, add: Add): Add {
  let checkedMs = clock.monotonicMs();
  return async (numbers) => {
    if (clock.monotonicMs() - checkedMs > ACCESS_TRUSTED_FOR_MS) {
      if (!(await hasAccess(principal))) throw accessEnded(principal);
      checkedMs = clock.monotonicMs();
    }
    return add(numbers);
  };
}

function accessEnded({ caller }: AccountPrincipal): ApiError {
  return new ApiError({
    code: caller.kind === 'api_key' ? 'invalid_api_key' : 'not_signed_in',
    publicMessage: 'Your access ended during the import. The numbers that were added stay on the list.',
  });
}

function oneAtATime(): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: 'The account is importing another file. Wait for its end, then send this one.',
    details: { scope: 'account', thing: 'suppression_imports', max: 1 },
    retryAfterSeconds: 5,
  });
}

/** @throws ApiError `too_many_suppressions` */
function bodyOf({ lines, added, invalid, problems, limit }: ImportReport): SuppressionImportBody {
  if (limit === null)
    return { lines, added, already_listed: lines - invalid - added, invalid, problems: [...problems] };
  throw new ApiError({
    code: 'too_many_suppressions',
    publicMessage: `The account’s do-not-call list may have ${limit} manual entries. The import added ${added} numbers of the file, and the rest would be more. Remove entries, or ask your operator.`,
    details: { limit, added },
  });
}
