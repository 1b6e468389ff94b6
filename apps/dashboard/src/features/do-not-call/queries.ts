import {
  createdSuppressionsSchema,
  suppressionEnvelopeSchema,
  suppressionImportSchema,
  suppressionListSchema,
  type CreateSuppressionsBody,
} from '@outdial/contracts';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { suppressionsKey } from '../../shared/account/suppressions.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';
import type { DoNotCallSearch } from './search.ts';

const PAGE_ENTRIES = 50;

const suppressionsPath = (accountId: string, ...parts: readonly string[]) =>
  accountPath(accountId, 'suppressions', ...parts);

/** The entries of the account's own list, newest first, page by page. */
export const suppressionsQuery = (accountId: string, { number, kind }: DoNotCallSearch) =>
  infiniteQueryOptions({
    queryKey: [...suppressionsKey(accountId), 'list', number ?? '', kind ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const query = queryString({ number, kind, cursor: pageParam, limit: PAGE_ENTRIES });
      return request({ path: `${suppressionsPath(accountId)}${query}`, schema: suppressionListSchema, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
  });

/** Reads everything about the list again, even after an error: an import that breaks off has added lines. */
function useListMutation<Variables, Result>(accountId: string, mutationFn: (variables: Variables) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: suppressionsKey(accountId) }),
  });
}

export const useAddNumbers = (accountId: string) =>
  useListMutation(accountId, (body: CreateSuppressionsBody) =>
    request({ method: 'POST', path: suppressionsPath(accountId), body, schema: createdSuppressionsSchema }),
  );

interface NumbersFile {
  readonly file: File;
  /** The name of the column with the numbers. Undefined: each line begins with its number. */
  readonly column: string | undefined;
  readonly reason: string | undefined;
}

export const useImportNumbers = (accountId: string) =>
  useListMutation(accountId, ({ file, column, reason }: NumbersFile) =>
    request({
      method: 'POST',
      path: `${suppressionsPath(accountId, 'import')}${queryString({ column, reason })}`,
      file: { content: file, mediaType: 'text/csv' },
      schema: suppressionImportSchema,
    }),
  );

interface Removal {
  readonly id: string;
  readonly reason: string;
}

export const useRemoveNumber = (accountId: string) =>
  useListMutation(accountId, ({ id, reason }: Removal) =>
    request({
      method: 'DELETE',
      path: suppressionsPath(accountId, id),
      body: { reason },
      schema: suppressionEnvelopeSchema,
    }),
  );
