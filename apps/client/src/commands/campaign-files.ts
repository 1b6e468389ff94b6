import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { CampaignUpload, ContactsFile, Outdial } from '@outdial/sdk';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { openLiveLine } from '../terminal/live-line.ts';
import type { CommandContext } from './command-context.ts';
import { openFile } from './open-file.ts';
import { uploadText } from './show-campaign.ts';

const MEBIBYTE = 1_048_576;
const SHOWN_EVERY_MS = 200;

interface SentFile {
  readonly content: ContactsFile;
  readonly name: string | undefined;
  /** Null: unknown, as of a pipe. */
  readonly bytes: number | null;
}

/** Sends a file while it is read. `refused` if a line of it is no contact. */
export async function uploadContacts(
  context: CommandContext,
  id: string,
  path: string,
  onInvalid: 'skip' | 'refuse' | undefined,
): Promise<ExitCode> {
  const { campaigns } = await context.client();
  const { content, name, bytes } = await fileAt(context, path);
  const progress = openProgress(context, bytes);
  try {
    const upload = await campaigns.uploadContacts(id, content, {
      fileName: name,
      onInvalid,
      onProgress: (sentBytes) => progress.sent(sentBytes),
      signal: context.io.interrupted,
    });
    progress.end();
    context.print({ json: { upload }, text: uploadText(upload) + moreErrors(id, upload) });
    return upload.invalid === 0 ? EXIT.done : EXIT.refused;
  } finally {
    progress.end();
  }
}

async function fileAt({ io }: CommandContext, path: string): Promise<SentFile> {
  if (path === '-') {
    const content: ReadableStream<Uint8Array> = Readable.toWeb(io.stdin);
    return { content, name: undefined, bytes: null };
  }
  const content = await openFile(path);
  return { content, name: basename(path), bytes: content.size };
}

function moreErrors(id: string, { number, invalid, errors }: CampaignUpload) {
  // A line may have several errors.
  const left = invalid - new Set(errors.map(({ line }) => line)).size;
  if (left <= 0) return '';
  return `… and ${left} more: outdial campaigns errors ${id} ${number} > errors.csv\n`;
}

/** For people: on a terminal alone. */
function openProgress({ io: { stderr }, isJson }: CommandContext, bytes: number | null) {
  const isShown = stderr.isTTY === true && !isJson;
  const line = openLiveLine({ write: (text) => stderr.write(text), isTTY: true });
  let shownAtMs = 0;
  return {
    sent(sentBytes: number): void {
      const nowMs = performance.now();
      if (!isShown || (sentBytes !== bytes && nowMs - shownAtMs < SHOWN_EVERY_MS)) return;
      shownAtMs = nowMs;
      const sent = `${(sentBytes / MEBIBYTE).toFixed(1)} MiB`;
      const percent = bytes === null || bytes === 0 ? '' : `, ${Math.floor((100 * sentBytes) / bytes)} %`;
      line.show(`sent ${sent}${percent}`);
    },
    end: () => line.end(),
  };
}

/** Every contact with its outcome. */
export function saveResults(context: CommandContext, id: string): Promise<ExitCode> {
  return save(context, ({ campaigns }, signal) => campaigns.results(id, { signal }));
}

/** The lines of an upload that are no contact. */
export function saveErrors(context: CommandContext, id: string, upload: number): Promise<ExitCode> {
  return save(context, ({ campaigns }, signal) => campaigns.uploads.errors(id, upload, { signal }));
}

/** Writes a file to stdout as it arrives, no faster than stdout takes it. */
async function save(
  context: CommandContext,
  open: (outdial: Outdial, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
): Promise<ExitCode> {
  const { stdout, interrupted } = context.io;
  const file = await open(await context.client(), interrupted);
  try {
    for await (const chunk of file) {
      // The reader may stop early, as `head` does.
      if (!(await isWritten(stdout, chunk))) break;
    }
  } catch (error) {
    if (interrupted.aborted) throw error;
    throw new CommandError('The connection broke off, so the file is not complete. Run the command again.');
  }
  return EXIT.done;
}

function isWritten(stdout: Io['stdout'], chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => void stdout.write(chunk, (error) => resolve(!error)));
}
