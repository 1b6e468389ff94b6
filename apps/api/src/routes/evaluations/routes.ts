import type { AccountRoute } from '../../http/define-route.ts';
import { createEvaluationRoute, type CreateEvaluationDeps } from './create-evaluation.ts';
import {
  cancelEvaluationRoute,
  getEvaluationRoute,
  getScenariosRoute,
  listEvaluationsRoute,
  saveScenariosRoute,
  type ReadEvaluationsDeps,
} from './read-evaluations.ts';

export interface EvaluationDeps extends CreateEvaluationDeps, ReadEvaluationsDeps {
  readonly evaluations: CreateEvaluationDeps['evaluations'] & ReadEvaluationsDeps['evaluations'];
}

export function evaluationRoutes(deps: EvaluationDeps): readonly AccountRoute[] {
  return [
    createEvaluationRoute(deps),
    listEvaluationsRoute(deps),
    getEvaluationRoute(deps),
    cancelEvaluationRoute(deps),
    getScenariosRoute(deps),
    saveScenariosRoute(deps),
  ];
}
