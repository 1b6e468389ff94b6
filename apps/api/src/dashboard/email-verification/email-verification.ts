import { completeEmailVerificationSchema, sessionEnvelopeSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { noContent } from '../../http/reply.ts';
import { notSignedIn } from '../access-checks.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { presentSession } from '../session/present-session.ts';
import type { Throttle } from '../throttle.ts';

const COMMON = { access: 'user', method: 'POST', params: NO_PARAMS, query: NO_QUERY } as const;

const requestContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/email-verifications',
  body: NO_BODY,
  responses: {},
  errors: ['too_many_attempts', 'origin_not_allowed'],
});

const completeContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/email-verifications/complete',
  body: completeEmailVerificationSchema,
  responses: { 200: sessionEnvelopeSchema },
  errors: ['link_not_valid', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface EmailVerificationDeps {
  readonly identity: Pick<Identity, 'requestEmailVerification' | 'verifyEmail' | 'findSession'>;
  readonly linkThrottle: Throttle;
}

/** Sends another link to the address of the signed-in user, unless the address is verified. */
export function requestEmailVerificationRoute({ identity, linkThrottle }: EmailVerificationDeps): Route {
  return defineDashboardRoute(requestContract, async ({ principal: { session, address } }) => {
    await linkThrottle.begin({ subject: `verify ${session.user.id}`, address });
    await identity.requestEmailVerification(session.user);
    return noContent();
  });
}

export function completeEmailVerificationRoute({ identity, linkThrottle }: EmailVerificationDeps): Route {
  return defineDashboardRoute(completeContract, async ({ principal: { session, address }, body: { token } }) => {
    const succeeded = await linkThrottle.begin({ subject: `verify-complete ${session.user.id}`, address });
    if (!(await identity.verifyEmail(session.user.id, token))) throw linkNotValid('token');
    await succeeded();
    const now = await identity.findSession(session.digest);
    if (now === null) throw notSignedIn();
    return { status: 200, body: { session: presentSession(now) } };
  });
}

/** Rejects an action, `what`, that needs a confirmed address. */
export function emailNotVerified(email: string, what: string): ApiError {
  return new ApiError({
    code: 'email_not_verified',
    publicMessage: `Confirm your e-mail address ${email} before you ${what}. Your profile page can resend the link. If this installation does not send e-mail, ask your operator.`,
  });
}
