import type { AccountRoute } from '../../http/define-route.ts';
import {
  checkSuppressionsRoute,
  createSuppressionsRoute,
  deleteSuppressionRoute,
  listSuppressionsRoute,
} from './handlers.ts';
import { importSuppressionsRoute, type ImportSuppressionsDeps } from './import.ts';

export function suppressionRoutes(deps: ImportSuppressionsDeps): readonly AccountRoute[] {
  return [
    createSuppressionsRoute(deps),
    listSuppressionsRoute(deps),
    checkSuppressionsRoute(deps),
    importSuppressionsRoute(deps),
    deleteSuppressionRoute(deps),
  ];
}
