import type { E164, SuppressionImportBody } from '@outdial/contracts';
import { importNumbers, NumbersFileError, type ImportReport } from '@outdial/persistence';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { uploadTurns, type UploadTurnsDeps } from '../../http/upload-turns.ts';
import type { SuppressionDeps } from './handlers.ts';
import { importSuppressionsContract } from './import-contract.ts';

export interface ImportSuppressionsDeps extends SuppressionDeps, UploadTurnsDeps {}

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
        const inTurn = uploadTurns(deps, principal, () => accessEnded(principal));
        const add = (numbers: readonly E164[]) => inTurn(() => added.add(numbers));
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
