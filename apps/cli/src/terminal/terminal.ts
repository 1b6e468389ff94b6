import { stripVTControlCharacters } from 'node:util';
import { escapeC1Controls } from './escape-controls.ts';
import { createPaint, wantsColour, type Paint } from './paint.ts';

/** A destination for text: standard output, or a test's memory. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

/** The last line of the screen, redrawn until it ends. */
export interface LiveLine {
  /** Erases the line. Idempotent. */
  end(): void;
}

export interface Terminal {
  readonly paint: Paint;
  /** Whether the output is a terminal; otherwise live lines are not drawn. */
  readonly isInteractive: boolean;
  /** Prints whole lines, above the live one. */
  print(text?: string): void;
  /** The number of `print` calls so far. */
  printed(): number;
  /** Draws a live line ten times a second; only one may exist at a time. `spinner` is the current frame. */
  live(render: (spinner: string) => string): LiveLine;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001B[2K';

export function createTerminal(stream: OutputStream, env: NodeJS.ProcessEnv): Terminal {
  const isInteractive = stream.isTTY === true && env['TERM'] !== 'dumb';
  let drawLive: (() => void) | undefined;
  let printed = 0;
  const clearLive = () => {
    if (drawLive) stream.write(CLEAR_LINE);
  };
  return {
    paint: createPaint(wantsColour(stream.isTTY === true, env)),
    isInteractive,
    printed: () => printed,
    print(text = '') {
      printed += 1;
      clearLive();
      stream.write(`${escapeC1Controls(text)}\n`);
      drawLive?.();
    },
    live(render) {
      if (!isInteractive) return { end: () => {} };
      let frame = 0;
      const draw = () => {
        const spinner = SPINNER[frame % SPINNER.length] ?? '';
        stream.write(`${CLEAR_LINE}${fitted(render(spinner), stream.columns)}`);
      };
      drawLive = draw;
      draw();
      const timer = setInterval(() => {
        frame += 1;
        draw();
      }, REDRAW_MS);
      timer.unref();
      return {
        end() {
          if (drawLive !== draw) return;
          clearInterval(timer);
          clearLive();
          drawLive = undefined;
        },
      };
    },
  };
}

/** A carriage return cannot erase a wrapped line: its first part would stay on the screen. */
function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const plain = stripVTControlCharacters(text);
  return plain.length < columns ? text : plain.slice(0, Math.max(0, columns - 1));
}
