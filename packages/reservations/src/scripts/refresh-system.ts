import type { SystemLimits } from '@outdial/calls';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

export const refreshSystem = defineScript<SystemLimits, 'refreshed' | 'unchanged' | 'closed'>({
  file: 'refresh-system-1.lua',
  keys: (keys) => [keys.gate],
  args: ({ capacity, capacityVersion }) => [
    naturalArgument('system capacity', capacity),
    naturalArgument('system capacity version', capacityVersion),
  ],
  outcome: (reply) => reply.oneOf('refreshed', 'unchanged', 'closed'),
});
