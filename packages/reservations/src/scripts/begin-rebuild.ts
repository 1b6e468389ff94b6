import type { BeginRebuildOutcome, RebuildTicket } from '@outdial/calls';
import { naturalArgument } from './arguments.ts';
import { defineScript, type ScriptContext } from './define-script.ts';

/** How long a rebuild is left alone before another attempt may take its place. */
const REBUILD_LEFT_ALONE_MS = 10_000;

export interface BeginRebuildInput {
  /** Random; tells a second delivery of the same command from another attempt. */
  readonly attemptId: string;
}

type BeginRebuildReply =
  | { readonly kind: 'begun'; readonly incarnation: string }
  | { readonly kind: 'under_way' | 'not_needed' };

const sendBegin = defineScript<BeginRebuildInput, BeginRebuildReply>({
  file: 'begin-rebuild-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ attemptId }) => [attemptId, naturalArgument('rebuild left alone', REBUILD_LEFT_ALONE_MS)],
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
