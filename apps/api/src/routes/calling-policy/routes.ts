import type { AccountRoute } from '../../http/define-route.ts';
import {
  checkCallingPolicyRoute,
  getCallingPolicyRoute,
  listPolicyVersionsRoute,
  updateCallingPolicyRoute,
  type CallingPolicyDeps,
} from './handlers.ts';

export function callingPolicyRoutes(deps: CallingPolicyDeps): readonly AccountRoute[] {
  return [
    getCallingPolicyRoute(deps),
    updateCallingPolicyRoute(deps),
    listPolicyVersionsRoute(deps),
    checkCallingPolicyRoute(deps),
  ];
}
