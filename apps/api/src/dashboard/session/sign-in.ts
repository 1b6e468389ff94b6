import { sessionEnvelopeSchema, signInSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import { pause, type Clock } from '@outdial/kernel';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { SESSION_CHALLENGE } from '../access-checks.ts';
import { limitPasswordWork } from '../limit-password-work.ts';
import type { Throttle } from '../throttle.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';

const contract = defineDashboardContract({
  access: 'anybody',
  method: 'POST',
  path: '/api/dashboard/session',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: signInSchema,
  responses: { 200: sessionEnvelopeSchema },
  errors: ['sign_in_failed', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface SignInDeps {
  readonly identity: Pick<Identity, 'signIn'> & BeginSessionDeps;
  readonly passwordThrottle: Throttle;
  readonly clock: Clock;
}

/** A rejection is sent at a multiple of this after the request, so that timing reveals nothing about its steps. */
const GRID_MS = 250;

export function signInRoute({ identity, passwordThrottle, clock }: SignInDeps): Route {
  return defineDashboardRoute(
    contract,
    async ({ principal: { address, sessionToken }, body }) => {
      const begunMs = clock.monotonicMs();
      const { succeeded, token } = await limitPasswordWork(address, async () => ({
        succeeded: await passwordThrottle.begin({ subject: body.email, address }),
        token: await identity.signIn({ ...body, address }),
      }));
      if (token === null) {
        await pause(clock, GRID_MS - ((clock.monotonicMs() - begunMs) % GRID_MS));
        throw signInFailed();
      }
      await succeeded();
      return { status: 200, ...(await beginSession(identity, token, sessionToken)) };
    },
    // Checking a password is slow by design, and slower when many users sign in.
    { keepsDeadline: true },
  );
}

/** The same for a wrong password and an unknown user. */
function signInFailed(): ApiError {
  return new ApiError({
    code: 'sign_in_failed',
    publicMessage: 'Wrong e-mail or password. Try again, or reset your password.',
    headers: SESSION_CHALLENGE,
  });
}
