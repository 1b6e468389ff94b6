import type { BeginRebuildOutcome } from '@outdial/calls';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

/** How long a rebuild is left alone before another attempt may take its place. */
const REBUILD_LEFT_ALONE_MS = 10_000;

export interface BeginRebuildInput {
  /** Random; tells a second delivery of the same command from another attempt. */
  readonly attemptId: string;
}

export const beginRebuild = defineScript<BeginRebuildInput, BeginRebuildOutcome>({
  file: 'begin-rebuild-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ attemptId }) => [attemptId, naturalArgument('rebuild left alone', REBUILD_LEFT_ALONE_MS)],
  outcome(reply) {
    switch (reply.kind) {
      case 'begun':
        return { kind: 'begun', ticket: { incarnation: reply.text(0) } };
      case 'under_way':
      case 'not_needed':
        return { kind: reply.kind };
      default:
        return reply.unexpected();
    }
  },
});
