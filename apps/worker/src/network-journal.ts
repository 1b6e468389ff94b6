import { openSync, writeSync } from 'node:fs';
import { EnvError } from '@outdial/kernel';
import type { Dialled, SimulatedCarrierOptions } from '@outdial/simulated-network';

/**
 * What the simulated network writes down of every telephone, for whoever has to know who was really dialled: each line
 * is with the system before anything else happens, so that it outlives a worker that is killed. Workers may share one
 * file. Numbers are in full. @throws EnvError
 */
export function openNetworkJournal(path: string | undefined): Pick<SimulatedCarrierOptions, 'onDialled' | 'onEnded'> {
  if (path === undefined) return {};
  const file = openForAppending(path);
  const write = (event: 'invite' | 'ended', { callId, number, atMs }: Dialled) => {
    const line = { at: new Date(atMs).toISOString(), call_id: callId, to: number, event, pid: process.pid };
    writeSync(file, `${JSON.stringify(line)}\n`);
  };
  return { onDialled: (dialled) => write('invite', dialled), onEnded: (left) => write('ended', left) };
}

function openForAppending(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvError(`OUTDIAL_SIMULATED_JOURNAL: ${path} cannot be written (${reason}): choose another file.`);
  }
}
