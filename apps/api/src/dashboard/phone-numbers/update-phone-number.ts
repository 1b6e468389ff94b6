import { phoneNumberEnvelopeSchema, phoneNumberIdSchema, updatePhoneNumberSchema } from '@outdial/contracts';
import { z } from 'zod';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentPhoneNumber } from '../../routes/list-phone-numbers/present-phone-number.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'PATCH',
  path: '/api/dashboard/accounts/:account_id/phone-numbers/:phone_number_id',
  params: z.object({ phone_number_id: phoneNumberIdSchema }),
  query: NO_QUERY,
  body: updatePhoneNumberSchema,
  responses: { 200: phoneNumberEnvelopeSchema },
  errors: ['phone_number_not_found', 'body_too_large', 'unsupported_media_type'],
});

export function updatePhoneNumberRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params, body }) => {
    const record = await ownAccountOf(deps, principal).numbers.update(params.phone_number_id, {
      ...(body.outbound_enabled === undefined ? {} : { outboundEnabled: body.outbound_enabled }),
      ...(body.is_default === undefined ? {} : { isDefault: body.is_default }),
    });
    if (record !== null) return { status: 200, body: { phone_number: presentPhoneNumber(record) } };
    throw new ApiError({
      code: 'phone_number_not_found',
      publicMessage: 'Your account has no phone number with this ID.',
      param: 'phone_number_id',
    });
  });
}
