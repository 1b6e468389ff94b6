import { completePasswordResetSchema, requestPasswordResetSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { limitPasswordWork } from '../limit-password-work.ts';
import type { Throttle } from '../throttle.ts';

const COMMON = { access: 'anybody', method: 'POST', params: NO_PARAMS, query: NO_QUERY, responses: {} } as const;

const requestContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/password-resets',
  body: requestPasswordResetSchema,
  errors: ['too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

const completeContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/password-resets/complete',
  body: completePasswordResetSchema,
  errors: ['link_not_valid', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface ResetPasswordDeps {
  readonly identity: Pick<Identity, 'requestPasswordReset' | 'resetPassword'>;
  readonly linkThrottle: Throttle;
}

/** The same response after the same time, for known and unknown users. */
export function requestPasswordResetRoute({ identity, linkThrottle }: ResetPasswordDeps): Route {
  return defineDashboardRoute(requestContract, async ({ principal: { address }, body: { email } }) => {
    await linkThrottle.begin({ subject: email, address });
    await identity.requestPasswordReset(email);
    return noContent();
  });
}

export function completePasswordResetRoute({ identity, linkThrottle }: ResetPasswordDeps): Route {
  return defineDashboardRoute(
    completeContract,
    async ({ principal: { address }, body }) => {
      const { succeeded, isReset } = await limitPasswordWork(address, async () => ({
        succeeded: await linkThrottle.begin({ subject: 'complete', address }),
        isReset: await identity.resetPassword(body),
      }));
      if (!isReset) throw linkNotValid('token');
      await succeeded();
      return noContent();
    },
    { keepsDeadline: true },
  );
}
