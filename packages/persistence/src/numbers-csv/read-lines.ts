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
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // The line feed after a final carriage return may come with the next chunk.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(LINE_END);
    rest = (lines.pop() ?? '') + text.slice(end);
    yield rest.length > MAX_LINE_LENGTH ? [...lines, rest] : lines;
  }
  yield (rest + decoder.decode()).split(LINE_END);
}
