import { TRY_LIMITS, type AgentId, type TryId, type TryInput } from '@outdial/contracts';
import type { TryRecord, TryStore } from '@outdial/persistence';
import type { TryChannel } from '@outdial/queue';
import { ApiError } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { endTryContract, getTryContract, sendTryMessageContract } from './contracts.ts';
import { presentTry } from './present-try.ts';
import { mediumDiffers, tryNotFound, tryOver } from './refusals.ts';

export interface TalkDeps {
  readonly tries: {
    readonly store: Pick<TryStore, 'find'>;
    readonly channel: Pick<TryChannel, 'send'>;
  };
}

interface TryOfPath {
  readonly agent_id: AgentId;
  readonly try_id: TryId;
}

export function getTryRoute(deps: TalkDeps): AccountRoute {
  return defineRoute(getTryContract, async ({ principal, params }) => {
    const record = await findTry(deps, principal, params);
    return { status: 200, body: { try: presentTry(record, principal.account.currency) } };
  });
}

export function sendTryMessageRoute(deps: TalkDeps): AccountRoute {
  return defineRoute(sendTryMessageContract, async ({ principal, params, body }) => {
    const record = await findTry(deps, principal, params);
    if (record.endedReason !== null) throw tryOver();
    if (record.medium !== 'text') throw mediumDiffers(record.medium);
    const sent = await send(deps, record, { type: 'say', text: body.text });
    if (sent > TRY_LIMITS.messages) throw tooManyMessages();
    return { status: 202, body: { try: presentTry(record, principal.account.currency) } };
  });
}

export function endTryRoute(deps: TalkDeps): AccountRoute {
  return defineRoute(endTryContract, async ({ principal, params }) => {
    const record = await findTry(deps, principal, params);
    if (record.endedReason === null) await send(deps, record, { type: 'end' });
    return { status: 202, body: { try: presentTry(record, principal.account.currency) } };
  });
}

/** @throws ApiError also for a try of another account: the response reveals none */
export async function findTry(
  { tries }: { readonly tries: { readonly store: Pick<TryStore, 'find'> } },
  { account }: AccountPrincipal,
  { agent_id: agentId, try_id: tryId }: TryOfPath,
): Promise<TryRecord> {
  const record = await tries.store.find({ accountId: account.id, agentId, tryId });
  if (record === null) throw tryNotFound();
  return record;
}

function send({ tries }: TalkDeps, { tryId }: TryRecord, input: TryInput): Promise<number> {
  return tries.channel.send(tryId, JSON.stringify(input));
}

function tooManyMessages(): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `This try has reached its limit of ${TRY_LIMITS.messages} messages. Begin another one.`,
    details: { scope: 'account', thing: 'try_messages', max: TRY_LIMITS.messages },
    retryAfterSeconds: 1,
  });
}
