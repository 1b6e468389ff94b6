import {
  doneSchema,
  operatedTrunkListSchema,
  type AddTrunkInput,
  type OperatedTrunkBody,
  type UpdateTrunkInput,
} from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../../shared/api/request.ts';

/** While the page is visible. */
const REFRESH_MS = 5_000;
const REFRESH_DURING_TEST_MS = 1_000;

export const trunksQuery = queryOptions({
  queryKey: ['operated-trunks'],
  queryFn: ({ signal }) => request({ path: '/operations/trunks', schema: operatedTrunkListSchema, signal }),
  refetchInterval: ({ state }) => (state.data?.trunks.some(isUnderTest) ? REFRESH_DURING_TEST_MS : REFRESH_MS),
});

/** A started test ends within this time. A test that no worker started by then counts as over. */
const MAX_TEST_MS = 45_000;

export function isUnderTest({ test }: OperatedTrunkBody): boolean {
  if (test === null || Date.now() - Date.parse(test.requested_at) > MAX_TEST_MS) return false;
  return test.results.length === 0 || test.results.some(({ state }) => state === 'asking');
}

export type TrunkChange =
  | { readonly kind: 'add'; readonly trunk: AddTrunkInput }
  | { readonly kind: 'update'; readonly name: string; readonly changes: UpdateTrunkInput }
  | { readonly kind: 'enable'; readonly name: string; readonly enabled: boolean }
  | { readonly kind: 'test'; readonly name: string };

export function useChangeTrunk() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: TrunkChange) => request({ ...requestOf(change), schema: doneSchema }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: trunksQuery.queryKey }),
  });
}

const pathOf = (name: string) => `/operations/trunks/${encodeURIComponent(name)}`;

function requestOf(change: TrunkChange) {
  switch (change.kind) {
    case 'add':
      return { method: 'POST', path: '/operations/trunks', body: change.trunk } as const;
    case 'update':
      return { method: 'PATCH', path: pathOf(change.name), body: change.changes } as const;
    case 'enable':
      return { method: 'PUT', path: `${pathOf(change.name)}/enabled`, body: { enabled: change.enabled } } as const;
    case 'test':
      return { method: 'POST', path: `${pathOf(change.name)}/tests` } as const;
    default:
      return change satisfies never;
  }
}
