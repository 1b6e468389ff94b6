import type { RtpReport, RtpSession } from '../rtp/rtp-session.ts';

/** What became of the sound of all calls since the thread began. Packets and frames are counted. */
export interface SoundCounts {
  readonly sentPackets: number;
  readonly receivedPackets: number;
  /** Of the far ends' packets. Those of the last moments before an end are not missed. */
  readonly lostPackets: number;
  /** Came, but after their time. */
  readonly latePackets: number;
}

/** Adds up the sound of sessions that are over and of those that are not. */
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
