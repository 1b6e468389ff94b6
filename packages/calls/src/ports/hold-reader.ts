import type { AccountId } from '@outdial/contracts';
import type { GateHold } from './gate.ts';

/** Where a walk through the open calls stands. */
export interface HoldPosition {
  readonly accountId: AccountId;
  readonly createdAtMs: number;
  readonly id: string;
}

export interface HoldPage {
  readonly holds: readonly GateHold[];
  /** Null: there are no more. */
  readonly next: HoldPosition | null;
}

/** Walks through what the gate must hold by Postgres: the open calls, their second legs, and the tries. */
export interface HoldReader {
  /** @param after null: from the beginning */
  openHolds(after: HoldPosition | null, limit: number): Promise<HoldPage>;
  /** Those of tries and of second legs, which are few. */
  otherHolds(): Promise<readonly GateHold[]>;
}
