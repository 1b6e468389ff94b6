import { operationsEnvelopeSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { administrationOf, type OperationsDeps } from './operations-deps.ts';
import { presentOperations } from './present-operations.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: operationsEnvelopeSchema },
  errors: [],
});

export function getOperationsRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const { dialling, workers, trunks } = administrationOf(deps, principal);
    const [switchedBy, found, system, open, ofTrunks, inUse, gate, queue, slow] = await Promise.all([
      dialling.show(),
      workers.list(),
      deps.systemReader.read(),
      deps.systemReader.openCalls(),
      trunks.list(),
      deps.operationsReader.channelsInUse(),
      // While Redis is away the page shows the rest: that is when operators look at it.
      deps.gate.state().catch(() => null),
      deps.queue.counts().catch(() => null),
      deps.slowFigures.latest(),
    ]);
    const readings = {
      dialling: switchedBy,
      workers: found,
      system,
      open,
      trunks: ofTrunks,
      inUse,
      gate,
      queue,
      ...slow,
    };
    return { status: 200, body: { operations: presentOperations(readings) } };
  });
}
