import type { AccountId, CallId } from '@outdial/contracts';
import { naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

export interface MonitorPlace {
  readonly accountId: AccountId;
  readonly callId: CallId;
  /** Names the monitor: another one for each connection. */
  readonly monitor: string;
}

interface TakeInput extends MonitorPlace {
  readonly places: number;
  readonly leaseMs: number;
}

export const takeMonitorPlace = defineScript<TakeInput, 'taken' | 'full'>({
  file: 'take-monitor-place-2.lua',
  keys: (keys, { accountId, callId }) => [keys.monitorsOf(accountId), keys.monitorsIn(callId)],
  args: ({ monitor, callId, places, leaseMs }, { monitors }) => [
    monitor,
    callId,
    naturalArgument('number of places', places),
    naturalArgument('time of a lease', leaseMs),
    monitors,
  ],
  outcome: (reply) => reply.oneOf('taken', 'full'),
});

export const leaveMonitorPlace = defineScript<MonitorPlace, 'left'>({
  file: 'leave-monitor-place-2.lua',
  keys: (keys, { accountId, callId }) => [keys.monitorsOf(accountId), keys.monitorsIn(callId)],
  args: ({ monitor, callId }, { monitors }) => [monitor, callId, monitors],
  outcome: (reply) => reply.oneOf('left'),
});
