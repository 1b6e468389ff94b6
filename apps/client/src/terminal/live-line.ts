import { plain } from './plain.ts';

/** A line that is written over by its next version. */
export interface LiveLine {
  show(text: string): void;
  /** Leaves the last version, and goes to the next line. */
  end(): void;
}

const CLEARED = '\r\u{1b}[2K';

/** Without a terminal, each version that differs is another line. */
export function openLiveLine({
  write,
  isTTY,
}: {
  readonly write: (text: string) => unknown;
  readonly isTTY: boolean;
}): LiveLine {
  let shown: string | null = null;
  return {
    show(text) {
      if (text === shown) return;
      shown = text;
      write(isTTY ? `${CLEARED}${plain(text)}` : `${plain(text)}\n`);
    },
    end() {
      if (isTTY && shown !== null) write('\n');
      shown = null;
    },
  };
}
