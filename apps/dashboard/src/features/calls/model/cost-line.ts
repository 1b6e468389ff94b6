import type { CallBody } from '@outdial/contracts';

/** One line of a call's cost, in words. */
export interface CostLine {
  readonly key: string;
  readonly title: string;
  readonly details: readonly string[];
  readonly cost: string;
}

export type CostItem = CallBody['cost_breakdown']['items'][number];
export type CostFacts = Pick<CallBody, 'status' | 'currency' | 'usage'> & {
  readonly cost_breakdown: Pick<CallBody['cost_breakdown'], 'items'>;
};
