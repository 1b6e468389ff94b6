import type { Route } from '../http/define-route.ts';
import { acceptInvitationRoute } from './invitations/accept.ts';
import {
  completeEmailVerificationRoute,
  requestEmailVerificationRoute,
} from './email-verification/email-verification.ts';
import { inviteRoute, type InviteDeps } from './invitations/invite.ts';
import { readInvitationRoute } from './invitations/read.ts';
import { withdrawInvitationRoute } from './invitations/withdraw.ts';
import { removeMemberRoute, updateMemberRoute } from './members/change-member.ts';
import { listMembersRoute } from './members/list-members.ts';
import { changePasswordRoute } from './password/change-password.ts';
import {
  completePasswordResetRoute,
  requestPasswordResetRoute,
  type ResetPasswordDeps,
} from './password/reset-password.ts';
import { getServiceRoute, type ServiceDeps } from './service/get-service.ts';
import { getSessionRoute } from './session/get-session.ts';
import { signInRoute, type SignInDeps } from './session/sign-in.ts';
import { signOutEverywhereRoute, signOutRoute } from './session/sign-out.ts';
import type { Sessions } from './sessions.ts';
import { signUpRoute, type SignUpDeps } from './users/sign-up.ts';
import type { Identity } from '@outdial/identity';

export interface IdentityRoutesDeps extends SignInDeps, SignUpDeps, ResetPasswordDeps, InviteDeps, ServiceDeps {
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly signUpPolicy: SignUpDeps['signUpPolicy'];
}

/** Routes for signing in and for membership. */
export function identityRoutes(deps: IdentityRoutesDeps): readonly Route[] {
  return [
    getServiceRoute(deps),
    signInRoute(deps),
    getSessionRoute(deps),
    signOutRoute(deps),
    signOutEverywhereRoute(deps),
    signUpRoute(deps),
    changePasswordRoute(deps),
    requestPasswordResetRoute(deps),
    completePasswordResetRoute(deps),
    requestEmailVerificationRoute(deps),
    completeEmailVerificationRoute(deps),
    readInvitationRoute(deps),
    acceptInvitationRoute(deps),
    listMembersRoute(deps),
    updateMemberRoute(deps),
    removeMemberRoute(deps),
    inviteRoute(deps),
    withdrawInvitationRoute(deps),
  ];
}
