import { changePasswordSchema } from '@outdial/contracts';
import { SESSION_SECONDS, type Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { noContent } from '../../http/reply.ts';
import { sessionCookie } from '../cookie.ts';
import { limitPasswordWork } from '../limit-password-work.ts';
import type { Throttle } from '../throttle.ts';

const contract = defineDashboardContract({
  access: 'user',
  method: 'PUT',
  path: '/api/dashboard/password',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: changePasswordSchema,
  responses: {},
  errors: ['wrong_password', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface ChangePasswordDeps {
  readonly identity: Pick<Identity, 'changePassword'>;
  readonly passwordThrottle: Throttle;
}

/** Every session of the user ends. The current one continues with a new token. */
export function changePasswordRoute({ identity, passwordThrottle }: ChangePasswordDeps): Route {
  return defineDashboardRoute(
    contract,
    async ({ principal: { session, address }, body }) => {
      const passwords = { currentPassword: body.current_password, newPassword: body.new_password };
      const { succeeded, token } = await limitPasswordWork(address, async () => ({
        succeeded: await passwordThrottle.begin({ subject: session.user.email, address }),
        token: await identity.changePassword({ session, ...passwords }),
      }));
      if (token === null) throw wrongPassword();
      await succeeded();
      return noContent({ 'Set-Cookie': sessionCookie(token, SESSION_SECONDS) });
    },
    { keepsDeadline: true },
  );
}

function wrongPassword(): ApiError {
  return new ApiError({
    code: 'wrong_password',
    publicMessage: 'Wrong current password. Your password was not changed.',
    param: 'current_password',
  });
}
