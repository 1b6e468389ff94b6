import type { Readable } from 'node:stream';

/** What a command has of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  /** What was asked for. */
  readonly stdout: { write(chunk: string | Uint8Array): unknown };
  /** Questions, errors and hints. */
  readonly stderr: { write(text: string): unknown };
  /** Aborted by the first interruption. */
  readonly interrupted: AbortSignal;
}
