import type { BeginRebuildOutcome, RebuildTicket } from '@outdial/calls';
import { naturalArgument } from './arguments.ts';
import { defineScript, type ScriptContext } from './define-script.ts';

/** How long a rebuild may take before another process may begin one. */
const REBUILD_TIMEOUT_MS = 10_000;

export interface BeginRebuildInput {
  /** Random; distinguishes a second delivery of the same command from another rebuild. */
  readonly attemptId: string;
}

type BeginRebuildReply =
  | { readonly kind: 'begun'; readonly incarnation: string }
  | { readonly kind: 'under_way' | 'not_needed' };

const sendBegin = defineScript<BeginRebuildInput, BeginRebuildReply>({
  file: 'begin-rebuild-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ attemptId }) => [attemptId, naturalArgument('rebuild timeout', REBUILD_TIMEOUT_MS)],
  outcome(reply) {
    switch (reply.kind) {
      case 'begun':
        return { kind: 'begun', incarnation: reply.text(0) };
      case 'under_way':
      case 'not_needed':
        return { kind: reply.kind };
      default:
        return reply.unexpected();
    }
  },
});

export async function beginRebuild(context: ScriptContext, input: BeginRebuildInput): Promise<BeginRebuildOutcome> {
  const reply = await sendBegin(context, input);
  if (reply.kind !== 'begun') return { kind: reply.kind };
  return { kind: 'begun', ticket: { incarnation: reply.incarnation, attemptId: input.attemptId } };
}

export const abandonRebuild = defineScript<RebuildTicket, 'abandoned' | 'unchanged'>({
  file: 'abandon-rebuild-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ attemptId }) => [attemptId],
  outcome: (reply) => reply.oneOf('abandoned', 'unchanged'),
});
