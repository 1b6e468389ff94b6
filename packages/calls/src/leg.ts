import type { CallId, TransferLegResult } from '@outdial/contracts';

/** Ids of second legs. Gate and carriers know a leg by its id as they know a call. */
export type LegId = CallId;

/** How a second leg ended, as it is shown. */
export type LegResult = TransferLegResult;
