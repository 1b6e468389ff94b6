import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf, StartError } from './start-error.ts';

/** What every line says. Numbers are in full. */
interface LineHead {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly sip_call_id: string;
  /** Who was dialled, in E.164 where it is a number. */
  readonly to: string;
  /** The user part of From, as it came. */
  readonly from: string | null;
  /** Who is there: the persona's name. */
  readonly persona: string;
}

/** The call's RTP packets, as this side counted them. */
export interface SoundLine {
  readonly sent: number;
  readonly received: number;
  /** Of the caller's, by their numbers. */
  readonly lost: number;
  /** Of the caller's, too late to be heard. */
  readonly late: number;
  /** Of this side's, as the caller last reported by RTCP; null if it never did. */
  readonly lost_there: number | null;
}

/** One thing that happened to a call. `invite` comes first and `ended` last, each exactly once. */
export type JournalLine = LineHead &
  (
    | { readonly event: 'invite' }
    | { readonly event: 'ringing'; readonly sip_code: 180 | 183 }
    | { readonly event: 'answered' }
    | { readonly event: 'hold'; readonly held: boolean }
    | {
        readonly event: 'ended';
        readonly by: 'caller' | 'callee' | 'network';
        /** As the SIP session tells: `completed`, `cancelled`, `refused`, `lost`. */
        readonly outcome: string;
        /** The final response to the INVITE; null if none was sent. */
        readonly sip_code: number | null;
        /** Of the caller's BYE or CANCEL. */
        readonly q850_cause: number | null;
        /** What came or was sent: `BYE`, `CANCEL`, or a sentence. */
        readonly detail: string;
        /** Null for a call that no port was opened for. */
        readonly rtp: SoundLine | null;
      }
  );

export interface Journal {
  /** The line is with the system when this returns. */
  write(line: JournalLine): void;
  close(): void;
}

/** For who wants no journal. */
export const NO_JOURNAL: Journal = { write: () => undefined, close: () => undefined };

/**
 * Appends JSON lines to a file that only its owner may read. Lines are written synchronously, a few microseconds each:
 * whoever sees a response on the wire finds what led to it in the file. A full disk ends the process. @throws StartError
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
        // Outside of the call, where nobody catches it: a witness that forgets is worse than none.
        setImmediate(() => {
          throw error;
        });
      }
    },
    close: () => closeSync(file),
  };
}
