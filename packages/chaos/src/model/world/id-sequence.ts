import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  campaignIdSchema,
  reservationIdSchema,
  type AccountId,
  type AgentId,
  type CallId,
  type CampaignId,
  type ReservationId,
} from '@outdial/contracts';

/** Ids that are the same in every run of a seed. */
export interface IdSequence {
  accountId(): AccountId;
  agentId(): AgentId;
  callId(): CallId;
  reservationId(): ReservationId;
  campaignId(): CampaignId;
}

export function idSequence(): IdSequence {
  let last = 0;
  const next = (kind: number) => {
    last += 1;
    return `0000000${kind}-0000-4000-8000-${last.toString(16).padStart(12, '0')}`;
  };
  return {
    accountId: () => accountIdSchema.parse(next(1)),
    agentId: () => agentIdSchema.parse(next(2)),
    callId: () => callIdSchema.parse(next(3)),
    reservationId: () => reservationIdSchema.parse(next(4)),
    campaignId: () => campaignIdSchema.parse(next(5)),
  };
}
