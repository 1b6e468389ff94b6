import type { sessionSchema } from '@outdial/contracts';
import type { Session } from '@outdial/identity';
import type { z } from 'zod';

export function presentSession({ user, memberships }: Session): z.output<typeof sessionSchema> {
  return {
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      email_verified: user.isEmailVerified,
      is_operator: user.isOperator,
    },
    memberships: memberships.map(({ accountId, accountName, currency, role }) => ({
      account_id: accountId,
      account_name: accountName,
      currency,
      role,
    })),
  };
}
