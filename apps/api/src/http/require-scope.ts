import type { KeyScope } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { ApiError } from './api-error.ts';
import type { AccountPrincipal } from './principal.ts';

/** A key may do what its scopes allow. What a user may do is decided by the role. @throws ApiError `scope_missing` */
export function requireScope({ caller }: AccountPrincipal, scope: KeyScope): void {
  switch (caller.kind) {
    case 'session':
      return;
    case 'api_key':
      if (caller.key.scopes.includes(scope)) return;
      throw new ApiError({
        code: 'scope_missing',
        publicMessage: `This API key does not have the scope ${scope}. Use a key that has it; an owner of the account can create one.`,
        details: { scope },
      });
    default:
      return unreachable(caller);
  }
}
