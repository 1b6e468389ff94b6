import { serviceEnvelopeSchema, SIMULATED_NUMBERS, type ServiceBody } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { SERVICE_VERSION } from './version.ts';

const contract = defineDashboardContract({
  access: 'anybody',
  method: 'GET',
  path: '/api/dashboard/service',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: serviceEnvelopeSchema },
  errors: [],
});

export interface ServiceDeps {
  readonly signUpPolicy: { readonly isOpen: boolean };
  readonly publicUrl: () => string;
  readonly offersTestNumbers: boolean;
}

const TEST_NUMBERS = SIMULATED_NUMBERS.map(({ number, behaviour }) => ({ number, behaviour }));

/** What a visitor may read without a session. */
export function getServiceRoute({ signUpPolicy, publicUrl, offersTestNumbers }: ServiceDeps): Route {
  return defineDashboardRoute(contract, async () => {
    const service: ServiceBody = {
      version: SERVICE_VERSION,
      sign_up: signUpPolicy.isOpen ? 'open' : 'invited',
      base_url: `${publicUrl()}/api/v1`,
      test_numbers: offersTestNumbers ? TEST_NUMBERS : [],
    };
    return { status: 200, body: { service } };
  });
}
