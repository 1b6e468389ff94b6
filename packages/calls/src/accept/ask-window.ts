import { judgedZones, windowAt, type CalleePlace, type PoliciesInForce } from '@outdial/policies';
import type { AskedSchedule } from '../ports/accept-store.ts';
import type { AskedDial } from './ask-schedule.ts';
import type { InvalidRequest } from './authorize-call.ts';

/** The calling policy keeps the callee's hours closed. */
export interface OutsideCallingWindow {
  readonly kind: 'outside_calling_window';
  /** Null: not within 90 days. */
  readonly opensAtMs: number | null;
  /** Those that must all be open. */
  readonly zones: readonly string[];
}

export type WindowAnswer =
  /** The callee may be called at the time that the request asks for. */
  | { readonly kind: 'open'; readonly atMs: number }
  /** The hours are closed then, and the call waits until they open. */
  | {
      readonly kind: 'wait';
      readonly schedule: AskedSchedule;
      readonly waitingFor: 'window';
      readonly dueAtMs: number;
    }
  | OutsideCallingWindow;

/** After the opening, unless the request says when to give up. */
const WAIT_AFTER_OPENING_MS = 86_400_000;

/** May the callee be called when the request asks for it? The statement that grants the dial asks again. */
export function askWindow(
  policies: PoliciesInForce,
  place: CalleePlace,
  dial: Exclude<AskedDial, InvalidRequest>,
  nowMs: number,
): WindowAnswer {
  const atMs = dial.kind === 'later' ? (dial.schedule.scheduledForMs ?? nowMs) : nowMs;
  const window = windowAt(policies, place, atMs);
  if (window.kind === 'open') return { kind: 'open', atMs };
  const { opensAtMs } = window;
  const { whenClosed } = dial;
  if (whenClosed !== null && opensAtMs !== null) {
    const giveUpAtMs = dial.isOpenEnded
      ? Math.max(whenClosed.giveUpAtMs, opensAtMs + WAIT_AFTER_OPENING_MS)
      : whenClosed.giveUpAtMs;
    if (opensAtMs < giveUpAtMs) {
      return { kind: 'wait', schedule: { ...whenClosed, giveUpAtMs }, waitingFor: 'window', dueAtMs: opensAtMs };
    }
  }
  return { kind: 'outside_calling_window', opensAtMs, zones: judgedZones(policies, place) };
}
