import type { RtpReport, RtpSession } from '../rtp/rtp-session.ts';

/** Statistics of all calls' media since the thread started, in packets and frames. */
export interface SoundCounts {
  readonly sentPackets: number;
  readonly receivedPackets: number;
  /** Lost packets of the far ends. Packets lost just before the end of a call are not counted. */
  readonly lostPackets: number;
  /** Arrived after their playout time. */
  readonly latePackets: number;
}

/** Adds up the media of ended and current sessions. */
export class SoundTotals {
  readonly #open = new Set<Pick<RtpSession, 'report'>>();
  #over: SoundCounts = { sentPackets: 0, receivedPackets: 0, lostPackets: 0, latePackets: 0 };

  add(session: Pick<RtpSession, 'report'>): void {
    this.#open.add(session);
  }

  /** The session will not change any more. Idempotent. */
  retire(session: Pick<RtpSession, 'report'>): void {
    if (this.#open.delete(session)) this.#over = sum(this.#over, session.report);
  }

  get counts(): SoundCounts {
    return [...this.#open].reduce((counts, { report }) => sum(counts, report), this.#over);
  }
}

const sum = (counts: SoundCounts, { sentPackets, received }: RtpReport): SoundCounts => ({
  sentPackets: counts.sentPackets + sentPackets,
  receivedPackets: counts.receivedPackets + received.packets,
  lostPackets: counts.lostPackets + received.lost,
  latePackets: counts.latePackets + received.late,
});
