import { sessionEnvelopeSchema, signUpSchema, type SignUpBody } from '@outdial/contracts';
import type { Identity, SignUpOutcome, Trial } from '@outdial/identity';
import { unreachable } from '@outdial/kernel';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { invitationForAnotherAddress } from '../invitations/other-address.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { limitPasswordWork } from '../limit-password-work.ts';
import { beginSession, type BeginSessionDeps } from '../session/begin-session.ts';
import type { Throttle } from '../throttle.ts';

const contract = defineDashboardContract({
  access: 'anybody',
  method: 'POST',
  path: '/api/dashboard/users',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: signUpSchema,
  responses: { 201: sessionEnvelopeSchema },
  errors: [
    'sign_up_closed',
    'email_taken',
    'link_not_valid',
    'invitation_for_another_address',
    'too_many_attempts',
    'origin_not_allowed',
    'body_too_large',
    'unsupported_media_type',
  ],
});

export interface SignUpDeps {
  readonly identity: Pick<Identity, 'signUp' | 'signUpByInvitation' | 'startSession'> & BeginSessionDeps;
  /** Resolves once there is a policy that a new account begins with. */
  readonly defaultPolicy: { stored(): Promise<void> };
  readonly signUpThrottle: Throttle;
  readonly signUpPolicy: {
    readonly isOpen: boolean;
    readonly currency: string;
    /** The trial credit of an account that a sign-up creates. Null: none. */
    readonly trial: Trial | null;
  };
}

/** A sign-up reveals that an address is taken; the throttle limits how often a client may ask. */
export function signUpRoute({ identity, signUpThrottle, signUpPolicy, defaultPolicy }: SignUpDeps): Route {
  async function signUp({ invitation, account_name: accountName, ...user }: SignUpBody): Promise<SignUpOutcome> {
    if (invitation !== undefined) return identity.signUpByInvitation({ ...user, invitation });
    if (!signUpPolicy.isOpen) throw signUpClosed();
    await defaultPolicy.stored();
    return identity.signUp({ ...user, accountName: accountName ?? ownAccountName(user.name), ...signUpPolicy });
  }

  return defineDashboardRoute(
    contract,
    async ({ principal: { address, sessionToken }, body }) => {
      const outcome = await limitPasswordWork(address, async () => {
        await signUpThrottle.begin({ subject: body.email, address });
        return signUp(body);
      });
      switch (outcome.kind) {
        case 'signed_up': {
          const token = await identity.startSession(outcome.userId);
          return { status: 201, ...(await beginSession(identity, token, sessionToken)) };
        }
        case 'email_taken':
          throw emailTaken();
        case 'link_not_valid':
          throw linkNotValid('invitation');
        case 'other_address':
          throw invitationForAnotherAddress(outcome.invitedEmail, body.email, 'email');
        default:
          return unreachable(outcome);
      }
    },
    { keepsDeadline: true },
  );
}

function ownAccountName(name: string): string {
  return `${name}’s account`;
}

function signUpClosed(): ApiError {
  return new ApiError({
    code: 'sign_up_closed',
    publicMessage: 'Sign-up is by invitation only. Ask an account owner to invite you.',
  });
}

function emailTaken(): ApiError {
  return new ApiError({
    code: 'email_taken',
    publicMessage: 'This e-mail address is already in use. Sign in, or reset your password.',
    param: 'email',
  });
}
