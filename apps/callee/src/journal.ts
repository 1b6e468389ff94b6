import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf, StartError } from './start-error.ts';

/** What every line contains. Numbers are in full. */
interface LineHead {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly sip_call_id: string;
  /** The dialed number, in E.164 if it is a number. */
  readonly to: string;
  /** The user part of From, unchanged. */
  readonly from: string | null;
  /** The name of the persona that was dialed. */
  readonly persona: string;
}

/** RTP statistics of the call, as this side counted them. */
export interface RtpCounts {
  readonly sent: number;
  readonly received: number;
  /** The caller's packets that were lost, by sequence number. */
  readonly lost: number;
  /** The caller's packets that came too late to be played. */
  readonly late: number;
  /** This side's packets that were lost, as the caller last reported by RTCP; null if it never did. */
  readonly lost_there: number | null;
}

/** One event of a call. `invite` comes first and `ended` last, each exactly once. */
export type JournalLine = LineHead &
  (
    | { readonly event: 'invite' }
    | { readonly event: 'ringing'; readonly sip_code: 180 | 183 }
    | { readonly event: 'answered' }
    | { readonly event: 'hold'; readonly held: boolean }
    /** The caller asks for a transfer to that SIP URI. */
    | { readonly event: 'refer'; readonly target: string }
    | {
        readonly event: 'ended';
        readonly by: 'caller' | 'callee' | 'network';
        /** From the SIP session: `completed`, `cancelled`, `refused`, `lost`. */
        readonly outcome: string;
        /** The final response to the INVITE; null if none was sent. */
        readonly sip_code: number | null;
        /** From the caller's BYE or CANCEL. */
        readonly q850_cause: number | null;
        /** What was received or sent: `BYE`, `CANCEL`, or a sentence. */
        readonly detail: string;
        /** Null for a call without an open port. */
        readonly rtp: RtpCounts | null;
      }
  );

export interface Journal {
  /** The system has the line when this returns. */
  write(line: JournalLine): void;
  close(): void;
}

/** Discards every line. */
export const NO_JOURNAL: Journal = { write: () => undefined, close: () => undefined };

/**
 * Appends JSON lines to a file that only its owner may read. Writes are synchronous, a few microseconds each, so that a
 * response on the wire always follows its cause in the file. A full disk ends the process.
 * @throws StartError
 */
export function openJournal(path: string): Journal {
  let file: number;
  try {
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    throw new StartError(
      `The journal ${path} cannot be written (${reasonOf(error)}): choose another file with OUTDIAL_CALLEE_JOURNAL.`,
      error,
    );
  }
  return {
    write(line) {
      try {
        writeSync(file, `${JSON.stringify(line)}\n`);
      } catch (error) {
        // Thrown outside of the call, so that it ends the process: an incomplete journal is worse than none.
        setImmediate(() => {
          throw error;
        });
      }
    },
    close: () => closeSync(file),
  };
}
