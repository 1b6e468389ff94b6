import type { Turn } from '@outdial/contracts';
import type { Channel } from '../recording.ts';

const STEP_MS = 10;

/** From the first of these levels on something sounds; at the second it is certainly speech. */
export interface Levels {
  readonly soft: number;
  readonly loud: number;
}

/**
 * By how many milliseconds each turn of one side begins or ends outside of the sound in its channel. 0 for a turn that begins
 * while the sound grows from soft to loud, and ends while it fades.
 */
export function msBesideSound(turns: readonly Turn[], channel: Channel, { soft, loud }: Levels) {
  return turns.map(({ text, start_ms, end_ms }, at) => {
    const from = middle(turns[at - 1]?.end_ms ?? 0, start_ms);
    const to = middle(end_ms, turns[at + 1]?.start_ms ?? channel.lengthMs);
    const [softly, loudly] = [soft, loud].map((level) => edgesOf(channel, { from, to, level }));
    const startsBy = beyond(start_ms, softly?.startMs ?? Infinity, loudly?.startMs ?? Infinity);
    const endsBy = beyond(end_ms, loudly?.endMs ?? -Infinity, softly?.endMs ?? -Infinity);
    return { text, start_ms, end_ms, besideMs: Math.max(startsBy, endsBy) };
  });
}

/** How far a moment is outside of an interval. */
const beyond = (ms: number, fromMs: number, toMs: number): number => Math.max(0, fromMs - ms, ms - toMs);

function edgesOf(
  channel: Channel,
  { from, to, level }: { readonly from: number; readonly to: number; readonly level: number },
) {
  const steps = Array.from({ length: Math.max(0, Math.ceil((to - from) / STEP_MS)) }, (_, nth) => from + nth * STEP_MS);
  const sounding = steps.filter((ms) => channel.level(ms, ms + STEP_MS) > level);
  const [startMs, lastMs] = [sounding[0], sounding.at(-1)];
  return startMs === undefined || lastMs === undefined ? undefined : { startMs, endMs: lastMs + STEP_MS };
}

const middle = (one: number, other: number): number => Math.round((one + other) / (2 * STEP_MS)) * STEP_MS;
