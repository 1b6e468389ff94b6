import type { Readable } from 'node:stream';

/** What a command has of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  /** What was asked for. */
  readonly stdout: {
    /** `written` is called once it is passed on, or with the reason why it cannot be. */
    write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): unknown;
    readonly isTTY?: boolean;
  };
  /** Questions, errors and hints. */
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Aborted by the first interruption. */
  readonly interrupted: AbortSignal;
}
