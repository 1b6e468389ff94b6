import type { GateHold, GateToken, RebuildTicket, SystemLimits } from '@outdial/calls';
import { formatToken } from '../token.ts';
import type { StagedAccount } from '../staged-accounts.ts';
import { accountLimitsArguments } from './account-limits.ts';
import { holdArgument, naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';
import type { Reply } from './reply.ts';

/** A stage that a crash leaves behind before its publish expires after this time. */
const STAGE_SECONDS = 60;

/** `attemptId` names the stage: two concurrent rebuilds must not mix theirs. */
export interface StageInput<Item> {
  readonly attemptId: string;
  readonly items: readonly Item[];
}

const staged = (reply: Reply) => reply.oneOf('staged');

export const stageHolds = defineScript<StageInput<GateHold>, 'staged'>({
  file: 'stage-holds-1.lua',
  keys: (keys, { attemptId }) => [keys.stagedHolds(attemptId)],
  args: ({ items }) => [
    STAGE_SECONDS.toString(),
    ...items.flatMap((hold) => [hold.callId, hold.accountId, hold.reservationId, holdArgument(hold.holdMicros)]),
  ],
  outcome: staged,
});

export const stageAccounts = defineScript<StageInput<StagedAccount>, 'staged'>({
  file: 'stage-accounts-1.lua',
  keys: (keys, { attemptId }) => [keys.stagedAccounts(attemptId)],
  args: ({ items }) => [
    STAGE_SECONDS.toString(),
    ...items.flatMap((account) => [
      ...accountLimitsArguments(account.limits),
      holdArgument(account.heldMicros),
      naturalArgument('open calls', account.openCalls),
    ]),
  ],
  outcome: staged,
});

export interface PublishInput {
  readonly attemptId: string;
  readonly ticket: RebuildTicket;
  readonly token: GateToken;
  readonly system: SystemLimits;
  readonly holdCount: number;
  readonly accountCount: number;
}

export const publish = defineScript<PublishInput, 'published' | 'superseded'>({
  file: 'publish-5.lua',
  keys: (keys, { attemptId }) => [
    keys.gate,
    keys.holds,
    keys.accounts,
    keys.stagedHolds(attemptId),
    keys.stagedAccounts(attemptId),
  ],
  args: ({ ticket, token, system, holdCount, accountCount }) => [
    ticket.incarnation,
    formatToken(token),
    naturalArgument('system capacity', system.capacity),
    naturalArgument('system capacity version', system.capacityVersion),
    naturalArgument('number of holds', holdCount),
    naturalArgument('number of accounts', accountCount),
  ],
  outcome: (reply) => reply.oneOf('published', 'superseded'),
});
