import type { Readable } from 'node:stream';

/** Reads a body, at most `maxBytes` of it. The rest is not received: the connection is closed. */
export async function readUpTo(
  body: Readable,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const part: Buffer = chunk;
    const room = maxBytes - bytes;
    if (part.length > room) {
      chunks.push(part.subarray(0, room));
      // Leaving the loop destroys the stream.
      return { body: Buffer.concat(chunks), truncated: true };
    }
    chunks.push(part);
    bytes += part.length;
  }
  return { body: Buffer.concat(chunks), truncated: false };
}
