import { isUtf8 } from 'node:buffer';
import { ContactFileRefused } from './file-refusal.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Checks that bytes are UTF-8 text: a file in another encoding would give its callees other names. */
export function createUtf8Check() {
  let line = 1;
  let hasReturn = false;
  /** Of a character whose other bytes are still to come. */
  let begun: Uint8Array = new Uint8Array();

  function countLines(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0) throw refused('has a byte of value 0, as text in UTF-16 does,');
      if (byte === CR || (byte === LF && !hasReturn)) line += 1;
      hasReturn = byte === CR;
    }
  }

  /** Line by line, to name the one that is wrong. */
  function findWrong(bytes: Uint8Array): ContactFileRefused {
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(LF, from) + 1 || bytes.length;
      const part = bytes.subarray(from, end);
      if (!isUtf8(part)) break;
      countLines(part);
      from = end;
    }
    return refused('is not UTF-8 text');
  }

  const refused = (problem: string) =>
    new ContactFileRefused('body', `${problem} in line ${line}: save it as “CSV UTF-8”, and send it again`);

  return {
    /** @throws ContactFileRefused with the line of the first byte that is wrong */
    check(bytes: Uint8Array): void {
      const text = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
      const whole = text.subarray(0, wholeCharacters(text));
      if (!isUtf8(whole)) throw findWrong(whole);
      countLines(whole);
      begun = Uint8Array.from(text.subarray(whole.length));
    },
    /** @throws ContactFileRefused if the text ends within a character */
    end(): void {
      if (begun.length > 0) throw refused('ends within a character');
    },
  };
}

/** How many bytes there are before a character that is not whole yet. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) return bytes.length - back;
    if ((byte & 0xc0) !== 0x80) break;
  }
  return bytes.length;
}
