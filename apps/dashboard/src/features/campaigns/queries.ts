import {
  callSummaryListSchema,
  campaignContactListSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignUploadEnvelopeSchema,
  campaignUploadListSchema,
  type AddContactsBody,
  type CallStatus,
  type CampaignBody,
  type ChangedCall,
  type UpdateCampaignBody,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  campaignKey,
  campaignPath,
  campaignQuery,
  campaignsKey,
  isOver,
  type CampaignKey,
} from '../../shared/account/campaigns.ts';
import { API_ROOT, accountPath, queryString, request } from '../../shared/api/request.ts';
import type { ContactOutcome } from './search.ts';

/** While the page is visible and something moves. */
const REFRESH_MS = 2_000;
const SLOW_REFRESH_MS = 10_000;
const CONTACTS_REFRESH_MS = 4_000;
const MOST_PAGES_REFRESHED = 2;
const PAGE_CONTACTS = 50;
const SHOWN_CALLS = 20;

/** Newest first, page by page. */
export const campaignListQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [...campaignsKey(accountId), 'list'],
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${accountPath(accountId, 'campaigns')}${queryString({ cursor: pageParam })}`,
        schema: campaignListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // With a campaign of another member, too.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.campaigns.some(isMoving)) ? REFRESH_MS : SLOW_REFRESH_MS,
  });

/** Whether its figures change by themselves. */
export function isMoving({ state, progress }: CampaignBody): boolean {
  return state === 'running' || state === 'scheduled' || state === 'cancelling' || progress.open > 0;
}

/** A campaign, kept current. */
export function useCampaign(key: CampaignKey) {
  return useQuery({
    ...campaignQuery(key),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (isMoving(data)) return REFRESH_MS;
      return isOver(data.state) ? false : SLOW_REFRESH_MS;
    },
  });
}

interface ContactFilter {
  readonly outcome: ContactOutcome | undefined;
  /** Whether their calls go on. */
  readonly isMoving: boolean;
}

/** In the order in which they are called, page by page. Many pages are not kept current: that would be many requests. */
export const contactsQuery = (key: CampaignKey, { outcome, isMoving: isCurrent }: ContactFilter) =>
  infiniteQueryOptions({
    queryKey: [...campaignKey(key), 'contacts', outcome ?? ''],
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${campaignPath(key, 'contacts')}${queryString({ outcome, cursor: pageParam, limit: PAGE_CONTACTS })}`,
        schema: campaignContactListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) =>
      isCurrent && (data?.pages.length ?? 0) <= MOST_PAGES_REFRESHED ? CONTACTS_REFRESH_MS : false,
  });

/** Files and contacts that were added, newest first, page by page. */
export const uploadsQuery = (key: CampaignKey) =>
  infiniteQueryOptions({
    queryKey: [...campaignKey(key), 'uploads'],
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${campaignPath(key, 'uploads')}${queryString({ before: pageParam })}`,
        schema: campaignUploadListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_before,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.uploads.some(({ state }) => state === 'receiving')) ? REFRESH_MS : false,
  });

/** An upload with its first errors. Null: not read. */
export const uploadQuery = (key: CampaignKey, number: number | null) =>
  queryOptions({
    queryKey: [...campaignKey(key), 'upload', number],
    queryFn: async ({ signal }) =>
      (
        await request({
          path: campaignPath(key, 'uploads', String(number)),
          schema: campaignUploadEnvelopeSchema,
          signal,
        })
      ).upload,
    enabled: number !== null,
  });

/** Those that hold a slot. The service filters by one status. */
const LIVE: readonly CallStatus[] = ['in_progress', 'ringing', 'dialing', 'queued'];

/** The open calls, those in conversation first: a few of many. */
export const openCallsQuery = ({ accountId, campaignId }: CampaignKey) =>
  queryOptions({
    queryKey: [...campaignKey({ accountId, campaignId }), 'open-calls'],
    queryFn: async ({ signal }): Promise<readonly ChangedCall[]> => {
      const pages = await Promise.all(
        LIVE.map((status) => {
          const query = queryString({ campaign_id: campaignId, status, limit: SHOWN_CALLS });
          return request({
            path: `${accountPath(accountId, 'calls')}${query}`,
            schema: callSummaryListSchema,
            signal,
          });
        }),
      );
      return pages.flatMap(({ calls }) => calls).slice(0, SHOWN_CALLS);
    },
    refetchInterval: REFRESH_MS,
  });

/** URLs of downloads, authorized by the session. */
export const resultsHref = (key: CampaignKey) => `${API_ROOT}${campaignPath(key, 'results.csv')}`;
export const errorsHref = (key: CampaignKey, number: number) =>
  `${API_ROOT}${campaignPath(key, 'uploads', String(number), 'errors.csv')}`;

/** Reads everything about campaigns again, even after an error: another member may have steered it. */
function useCampaignMutation<Variables, Result>(
  key: CampaignKey,
  mutationFn: (variables: Variables) => Promise<Result>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: campaignsKey(key.accountId) }),
  });
}

export type Verb = 'start' | 'pause' | 'resume' | 'cancel';

interface Steering {
  readonly verb: Verb;
  /** Of a cancellation: end the open calls, too. */
  readonly hangUp?: boolean;
}

export const useSteer = (key: CampaignKey) =>
  useCampaignMutation(key, ({ verb, hangUp = false }: Steering) =>
    request({
      method: 'POST',
      path: campaignPath(key, verb),
      ...(verb === 'cancel' ? { body: { hang_up: hangUp } } : {}),
      schema: campaignEnvelopeSchema,
    }),
  );

export const useUpdateCampaign = (key: CampaignKey) =>
  useCampaignMutation(key, (body: UpdateCampaignBody) =>
    request({ method: 'PATCH', path: campaignPath(key), body, schema: campaignEnvelopeSchema }),
  );

export const useAddContacts = (key: CampaignKey) =>
  useCampaignMutation(key, (body: AddContactsBody) =>
    request({ method: 'POST', path: campaignPath(key, 'contacts'), body, schema: campaignUploadEnvelopeSchema }),
  );

/** Of a file’s name, in characters. */
const MAX_NAME = 200;

interface ContactsFile {
  readonly file: File;
  readonly onInvalid: 'skip' | 'refuse';
}

export const useSendFile = (key: CampaignKey) =>
  useCampaignMutation(key, ({ file, onInvalid }: ContactsFile) =>
    request({
      method: 'POST',
      path: `${campaignPath(key, 'contacts')}${queryString({ file_name: file.name.slice(0, MAX_NAME), on_invalid: onInvalid })}`,
      file: { content: file, mediaType: 'text/csv' },
      schema: campaignUploadEnvelopeSchema,
    }),
  );
