import { errorOf, unreachable } from '../../../shared/api/api-error.ts';
import { WavPeakReader, type WavPeaks } from '../model/wav-peaks.ts';

/** Beyond, the wave is left out: to draw it, all of the recording has to be fetched. Some 50 minutes. */
const LARGEST_DRAWN_BYTES = 100_000_000;

export interface Sound {
  readonly peaks: WavPeaks;
  readonly isDrawn: boolean;
}

/**
 * The length of a recording and its peaks.
 * @throws ApiError if there is none, RangeError if it cannot be read.
 */
export async function readPeaks(href: string, stretches: number, signal: AbortSignal): Promise<Sound> {
  const response = await fetch(href, { credentials: 'same-origin', signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok || response.body === null) throw await errorOf(response);
  const isDrawn = Number(response.headers.get('Content-Length') ?? 0) <= LARGEST_DRAWN_BYTES;
  const reader = new WavPeakReader(stretches);
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
