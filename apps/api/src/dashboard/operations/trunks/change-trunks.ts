import { addTrunkSchema, setEnabledSchema, trunkNameSchema, updateTrunkSchema } from '@outdial/contracts';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { noContent } from '../../../http/reply.ts';
import { administrationOf, hurryWorkers, type OperationsDeps } from '../operations-deps.ts';
import { toApiError } from '../refusals.ts';
import { changedSettings, newSettings, sealable } from './trunk-settings.ts';

const common = { access: 'operator', query: NO_QUERY, responses: {} } as const;
const BODY_ERRORS = ['origin_not_allowed', 'body_too_large', 'unsupported_media_type'] as const;
const params = z.object({ trunk_name: trunkNameSchema });

const addContract = defineDashboardContract({
  ...common,
  method: 'POST',
  path: '/api/dashboard/operations/trunks',
  params: NO_PARAMS,
  body: addTrunkSchema,
  errors: ['trunk_exists', 'secret_key_missing', ...BODY_ERRORS],
});

const updateContract = defineDashboardContract({
  ...common,
  method: 'PATCH',
  path: '/api/dashboard/operations/trunks/:trunk_name',
  params,
  body: updateTrunkSchema,
  errors: ['trunk_not_found', 'secret_key_missing', ...BODY_ERRORS],
});

const enabledContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/trunks/:trunk_name/enabled',
  params,
  body: setEnabledSchema,
  errors: ['trunk_not_found', ...BODY_ERRORS],
});

const testContract = defineDashboardContract({
  ...common,
  method: 'POST',
  path: '/api/dashboard/operations/trunks/:trunk_name/tests',
  params,
  body: NO_BODY,
  errors: ['trunk_not_found', 'origin_not_allowed'],
});

/** The trunks. A change takes effect on every worker within a second. */
export function changeTrunkRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    defineDashboardRoute(addContract, async ({ principal, body }) => {
      const credentials = sealable(body.credentials, deps.secretKey);
      const trunk = { name: body.name, ...newSettings(body), credentials };
      await administrationOf(deps, principal).trunks.add(trunk).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(updateContract, async ({ principal, params: { trunk_name: name }, body }) => {
      const { trunks } = administrationOf(deps, principal);
      const { credentials } = body;
      const sealed = credentials === undefined ? {} : { credentials: sealable(credentials, deps.secretKey) };
      const before = await trunks.show(name).catch(toApiError);
      await trunks.update(name, { ...changedSettings(body, before), ...sealed }).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(enabledContract, async ({ principal, params: { trunk_name: name }, body: { enabled } }) => {
      await administrationOf(deps, principal).trunks.setEnabled(name, enabled).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(testContract, async ({ principal, params: { trunk_name: name } }) => {
      await administrationOf(deps, principal).trunkTests.request(name).catch(toApiError);
      await hurryWorkers(deps);
      return noContent();
    }),
  ];
}
