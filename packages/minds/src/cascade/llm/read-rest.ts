/** A rest that is longer costs more than a new connection. */
const MAX_REST_BYTES = 64 * 1_024;

/** Reads what is left of a response, so that its connection serves the next request instead of being closed. */
export async function readRest(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body === null) return;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_REST_BYTES) return;
  }
}
