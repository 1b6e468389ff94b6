const QUOTE = 0x22;
const LINE_ENDS = [0x0a, 0x0d];
/** Bytes of white space, and those of the byte order mark. */
const isBlank = (byte: number) => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;

export type Separator = ',' | ';' | '\t';

/** Finds the separator that the first line with text has most of, outside its quotes. Each byte is read once. */
export function createSeparatorFinder() {
  const counts = new Map<number, number>([',', ';', '\t'].map((separator) => [separator.charCodeAt(0), 0]));
  let isQuoted = false;
  let hasText = false;

  function found(): Separator {
    const of = (separator: Separator) => counts.get(separator.charCodeAt(0)) ?? 0;
    if (of(';') > of(',') && of(';') >= of('\t')) return ';';
    return of('\t') > of(',') ? '\t' : ',';
  }

  return {
    /** Null until the line has ended. */
    push(bytes: Uint8Array): Separator | null {
      for (const byte of bytes) {
        if (byte === QUOTE) isQuoted = !isQuoted;
        if (!isQuoted && hasText && LINE_ENDS.includes(byte)) return found();
        const count = counts.get(byte);
        if (count !== undefined && !isQuoted) counts.set(byte, count + 1);
        if (!isBlank(byte)) hasText = true;
      }
      return null;
    },
    end: found,
  };
}
