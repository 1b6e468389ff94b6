import { playedWords } from '../transcript/played-words.ts';

/** Words of an answer, in order. Their times are in the sound of the item; only some voices report them. */
export interface PlacedWords {
  readonly text: string;
  readonly place?: { readonly startMs: number; readonly endMs: number };
}

/**
 * The words of an item that were heard in the first `playedMs` of its sound. Where their times are known, those that ended by
 * then. Words without times are spread evenly over the sound between their neighbors; of them the whole ones were heard.
 */
export function heardWords(words: readonly PlacedWords[], playedMs: number, receivedMs: number): string {
  let heard = '';
  let endMs = 0;
  for (let at = 0; at < words.length;) {
    const { place, text } = words[at] ?? { text: '' };
    if (place === undefined) {
      const next = words.findIndex((other, index) => index > at && other.place !== undefined);
      const run = words.slice(at, next < 0 ? words.length : next);
      const untilMs = words[next]?.place?.startMs ?? receivedMs;
      const spoken = run.map((untimed) => untimed.text).join('');
      const share = shareOf(playedMs - endMs, untilMs - endMs);
      if (share < 1) return heard + playedWords(spoken, share);
      heard += spoken;
      at += run.length;
    } else {
      if (place.endMs > playedMs) return heard;
      heard += text;
      endMs = place.endMs;
      at += 1;
    }
  }
  return heard;
}

function shareOf(playedMs: number, lengthMs: number): number {
  if (playedMs <= 0) return 0;
  return lengthMs <= 0 ? 1 : Math.min(1, playedMs / lengthMs);
}
