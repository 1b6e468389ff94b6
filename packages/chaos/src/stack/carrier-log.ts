import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A telephone that was really reached, from the far end's journal: independent of any worker's memory. */
export interface Leg {
  /** The far end's key of the call: the call's id in the simulated network, the dialed number over SIP. */
  readonly key: string;
  readonly dialledAtMs: number;
  readonly answered: boolean;
  /** Null while it lasts, or if it died with its process. */
  readonly endedAtMs: number | null;
  /** The callee hung up: its telephone is free at once, and its journal has the end when the other side has confirmed it. */
  readonly endedByCallee: boolean;
  /** The pid of the worker that it lived in; null over SIP, where a leg outlives its worker. */
  readonly pid: number | null;
}

const lineSchema = z.object({
  at: z.iso.datetime(),
  event: z.string(),
  to: z.string(),
  call_id: z.string().optional(),
  sip_call_id: z.string().optional(),
  pid: z.number().optional(),
  by: z.string().nullish(),
});
type Line = z.output<typeof lineSchema>;

/** Reads the journal of the simulated network, or of the callee. Lines of different legs may be interleaved. */
export async function readCarrierLog(path: string): Promise<readonly Leg[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  // A line that is still being written has no line end yet.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const legs: Leg[] = [];
  const open = new Map<string, Leg>();
  for (const line of lines) {
    if (line === '') continue;
    const parsed = lineSchema.parse(JSON.parse(line));
    const identity = identityOf(parsed);
    const known = open.get(identity);
    // Dialed again during the call: another leg, and the end of the first one is no longer recorded.
    if (known && parsed.event === 'invite') legs.push(known);
    const leg = advanced(known, parsed);
    open.set(identity, leg);
    if (leg.endedAtMs === null) continue;
    open.delete(identity);
    legs.push(leg);
  }
  return [...legs, ...open.values()];
}

/** Identifies a leg in the journal: a call that two workers dial is two legs. */
function identityOf({ call_id, sip_call_id, pid }: Line): string {
  return sip_call_id ?? `${call_id}/${pid}`;
}

function advanced(leg: Leg | undefined, line: Line): Leg {
  const atMs = Date.parse(line.at);
  if (line.event === 'invite' || leg === undefined) {
    const key = line.sip_call_id === undefined ? (line.call_id ?? '') : line.to;
    return { key, dialledAtMs: atMs, answered: false, endedAtMs: null, endedByCallee: false, pid: line.pid ?? null };
  }
  if (line.event === 'answered') return { ...leg, answered: true };
  return line.event === 'ended' ? { ...leg, endedAtMs: atMs, endedByCallee: line.by === 'callee' } : leg;
}
