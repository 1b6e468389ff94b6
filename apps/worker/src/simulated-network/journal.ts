import { openSync, writeSync } from 'node:fs';
import { EnvError } from '@outdial/kernel';
import type { Dialled, SimulatedCarrierOptions } from '@outdial/simulated-network';

/**
 * The simulated network's journal of every call it receives, the evidence of which numbers were really dialed: each
 * line is passed to the operating system before anything else happens, so that it survives a killed worker. Workers may
 * share one file. Numbers are not masked.
 * @throws EnvError
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
    throw new EnvError(`OUTDIAL_SIMULATED_JOURNAL: ${path} cannot be written (${reason}): set it to another file.`);
  }
}
