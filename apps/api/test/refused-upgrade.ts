import { WebSocket } from 'ws';

/** The status and the code with which an upgrade is refused. */
export async function refusedUpgrade(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, string]> {
  const socket = new WebSocket(address, { headers });
  socket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('the connection was upgraded')));
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const body: { readonly error?: { readonly code?: string } } = JSON.parse(text);
        resolve([response.statusCode ?? 0, body.error?.code ?? '']);
      });
    });
  });
}
