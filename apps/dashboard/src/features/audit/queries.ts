import { auditPageSchema, type AuditSubject } from '@outdial/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';

const PAGE_ENTRIES = 50;

/** The audit log of one account, or with null of the whole platform. Newest first, page by page. */
export const auditQuery = (accountId: string | null, subject: AuditSubject | undefined) =>
  infiniteQueryOptions({
    queryKey: [...(accountId === null ? ['operations'] : accountKey(accountId)), 'audit', subject ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const path = accountId === null ? '/operations/audit' : accountPath(accountId, 'audit');
      const query = queryString({ subject, before: pageParam, limit: PAGE_ENTRIES });
      return request({ path: `${path}${query}`, schema: auditPageSchema, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_before,
  });
