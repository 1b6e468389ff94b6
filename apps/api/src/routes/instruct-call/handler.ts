import type { Call, CallReader } from '@outdial/calls';
import { INSTRUCTION_LIMITS, type CallStatus, type InstructionOutcome } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';
import type { InstructionSender } from '@outdial/queue';
import { ApiError, changeUnconfirmed } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { InstructionLimit } from '../../http/instruction-limit.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { callNotFound } from '../call-params.ts';
import { instructCallContract } from './contract.ts';

export interface InstructCallDeps extends OwnAccountDeps {
  readonly reader: Pick<CallReader, 'find'>;
  readonly instructions: InstructionSender;
  readonly instructionLimit: InstructionLimit;
  readonly logger: Logger;
}

export function instructCallRoute(deps: InstructCallDeps): AccountRoute {
  return defineRoute(instructCallContract, async ({ principal, params, body: { text }, requestId }) => {
    const accountId = principal.account.id;
    const callId = params.call_id;
    const call = await deps.reader.find(accountId, callId);
    if (call === null) throw callNotFound();
    requireLive(call);
    await deps.instructionLimit(accountId, callId);
    // Without its entry in the audit, nothing is sent.
    if (!(await ownAccountOf(deps, principal).instructions.sent(callId, text.length))) throw callNotFound();
    const outcome = await deps.instructions.send(callId, text).catch((error: unknown) => {
      throw changeUnconfirmed(error);
    });
    requireTaken(outcome, call.status);
    deps.logger.info({ event: 'call.instructed', requestId, accountId, callId }, 'the model of a call was instructed');
    return { status: 200, body: { instruction: { call_id: callId, text } } };
  });
}

/** @throws ApiError where no worker could take an instruction; what the call is by now, its worker knows */
function requireLive({ status, conducted }: Call): void {
  if (status === 'scheduled' || status === 'queued' || status === 'ended') throw notLive(status);
  if (conducted === null) throw scripted();
}

/** @throws ApiError */
function requireTaken(outcome: InstructionOutcome | null, status: CallStatus): void {
  switch (outcome) {
    case 'taken':
      return;
    case null:
    case 'not_talking':
      throw notLive(status);
    case 'scripted':
      throw scripted();
    case 'too_many':
      throw new ApiError({
        code: 'rate_limited',
        publicMessage: `The call has reached its limit of ${INSTRUCTION_LIMITS.ofCall} instructions. End it, or let it go on without more.`,
        details: { scope: 'account', thing: 'instructions_of_call', max: INSTRUCTION_LIMITS.ofCall },
      });
    default:
      unreachable(outcome);
  }
}

function notLive(status: CallStatus): ApiError {
  return new ApiError({
    code: 'call_not_live',
    publicMessage:
      'The call does not talk now, so its model cannot be instructed. Send the instruction once the call is answered, and before it ends.',
    details: { status },
  });
}

function scripted(): ApiError {
  return new ApiError({
    code: 'instruction_not_possible',
    publicMessage: 'A scripted agent conducts this call. Only an agent with a model can be instructed.',
  });
}
