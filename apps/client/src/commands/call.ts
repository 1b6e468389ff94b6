import { randomUUID } from 'node:crypto';
import type { Call } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';
import { findAgent } from './find-agent.ts';
import { commandOf, mayBePlaced, type CallOptions } from './repeat-call.ts';
import { endText, eventText, placedText } from './show-call.ts';

/** Places a call, and follows it to its end if asked to. */
export async function placeCall(context: CommandContext, options: CallOptions): Promise<ExitCode> {
  const call = await create(context, options);
  if (!options.follow) {
    context.print({ json: { call }, text: placedText(call) });
    return EXIT.done;
  }
  if (!context.isJson) context.io.stdout.write(`Call ${call.id} to ${call.callee_number}\n`);
  return follow(context, call);
}

/** If it stays unknown whether the call was placed, the user learns how to repeat it without a second call. */
async function create(context: CommandContext, options: CallOptions): Promise<Call> {
  const { interrupted, stderr } = context.io;
  const outdial = await context.client();
  const agentId = await findAgent(outdial, options.agent, interrupted);
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  try {
    return await outdial.calls.create(
      {
        to_number: options.to,
        agent_id: agentId,
        ...(options.from === undefined ? {} : { from_number: options.from }),
        ...(options.at === undefined ? {} : { scheduled_for: options.at }),
        ...(options.expiresAt === undefined ? {} : { expires_at: options.expiresAt }),
        ...(options.queue ? { on_capacity: 'queue' as const } : {}),
        ...(options.onClosed === undefined ? {} : { on_closed: options.onClosed }),
        ...(options.zone === undefined ? {} : { callee_time_zone: options.zone }),
        ...(options.retry === undefined ? {} : { retry: options.retry }),
        variables: options.variables,
      },
      { idempotencyKey, signal: interrupted },
    );
  } catch (error) {
    if (mayBePlaced(error, interrupted)) {
      const repeat = commandOf({ ...options, idempotencyKey }, context);
      stderr.write(
        context.isJson
          ? `${JSON.stringify({ unknown_outcome: { idempotency_key: idempotencyKey, repeat } })}\n`
          : `The call may have been placed. This command repeats it, and never dials twice:\n  ${repeat}\n`,
      );
    }
    throw error;
  }
}

async function follow(context: CommandContext, call: Call): Promise<ExitCode> {
  const { interrupted, stderr } = context.io;
  try {
    for await (const event of call.events({ signal: interrupted })) {
      context.print({ json: { event }, text: eventText(event) });
      if (event.type === 'ended') break;
    }
    const ended = await call.wait({ signal: interrupted });
    context.print({ json: { call: ended }, text: endText(ended) });
    return ended.answered_at === null ? EXIT.unanswered : EXIT.done;
  } catch (error) {
    if (interrupted.aborted) stderr.write(`The call goes on. To end it, run: outdial calls end ${call.id}\n`);
    throw error;
  }
}
