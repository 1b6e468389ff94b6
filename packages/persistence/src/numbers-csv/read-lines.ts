/** No line of a list of numbers is this long. Without a bound, text without line ends would be held whole. */
export const MAX_LINE_LENGTH = 64 * 1024;

const LINE_END = /\r\n|\n|\r/;

/**
 * The lines of a UTF-8 text, in portions, as it arrives; memory holds at most a chunk and a line. A line above the bound
 * comes in one piece that is longer than the bound, and is not held beyond it.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  // It strips the byte order mark. Bytes that are not UTF-8 become U+FFFD: they spoil their own cell alone.
  const decoder = new TextDecoder();
  let rest = '';
  // A final carriage return: its line feed may come with the next chunk.
  let held = '';
  for await (const chunk of chunks) {
    const text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - held.length).split(LINE_END);
    // The rest is joined and never searched again: a long line may come in a thousand small chunks.
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    yield rest.length > MAX_LINE_LENGTH ? [...lines, rest] : lines;
  }
  yield (rest + held + decoder.decode()).split(LINE_END);
}
