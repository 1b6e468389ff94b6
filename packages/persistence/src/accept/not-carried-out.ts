import { WritesUnavailable } from '@outdial/calls';
import { isNotCarriedOut } from '../database-away.ts';

/** Distinguishes an error after which Postgres certainly stored nothing from one with an unknown outcome. */
export function rethrowAsKnown(error: unknown): never {
  throw isNotCarriedOut(error) ? new WritesUnavailable(error) : error;
}
