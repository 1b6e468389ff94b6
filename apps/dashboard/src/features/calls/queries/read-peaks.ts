import { errorOf, unreachable } from '../../../shared/api/api-error.ts';
import { WavPeakReader, type WavPeaks } from '../model/wav-peaks.ts';

/** Larger recordings, beyond some 50 minutes, have no waveform, because it needs the whole recording. */
const MAX_DRAWN_BYTES = 100_000_000;

export interface Sound {
  readonly peaks: WavPeaks;
  readonly isDrawn: boolean;
}

/**
 * Reads the duration and peaks of a recording.
 * @throws ApiError if there is no recording, RangeError if it is malformed.
 */
export async function readPeaks(href: string, segments: number, signal: AbortSignal): Promise<Sound> {
  const response = await fetch(href, { credentials: 'same-origin', signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok || response.body === null) throw await errorOf(response);
  const isDrawn = Number(response.headers.get('Content-Length') ?? 0) <= MAX_DRAWN_BYTES;
  const reader = new WavPeakReader(segments);
  const pieces = response.body.getReader();
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    reader.push(piece.value);
    if (!isDrawn && reader.peaks !== null) {
      await pieces.cancel();
      break;
    }
  }
  if (reader.peaks === null) throw new RangeError('the recording ends within its header');
  return { peaks: reader.peaks, isDrawn };
}
