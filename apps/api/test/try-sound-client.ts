import { once } from 'node:events';
import { trySoundEventSchema, type TrySoundEvent } from '@outdial/contracts';
import { WebSocket } from 'ws';

/** A browser whose member talks by microphone. */
export interface TrySoundClient {
  readonly socket: WebSocket;
  readonly said: TrySoundEvent[];
  readonly sound: Buffer[];
  /** The code with which the connection ends. */
  readonly closed: Promise<number>;
}

export interface TrySoundPath {
  readonly url: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly tryId: string;
}

export const trySoundAddress = ({ url, accountId, agentId, tryId }: TrySoundPath) =>
  `${url.replace('http', 'ws')}/api/dashboard/accounts/${accountId}/agents/${agentId}/try/${tryId}/sound`;

/** Rejects if the service does not upgrade the connection. */
export async function openTrySound(
  path: TrySoundPath,
  headers: Readonly<Record<string, string>>,
): Promise<TrySoundClient> {
  const socket = new WebSocket(trySoundAddress(path), { headers, perMessageDeflate: false });
  socket.binaryType = 'nodebuffer';
  const said: TrySoundEvent[] = [];
  const sound: Buffer[] = [];
  socket.on('message', (message: Buffer, isBinary) => {
    if (isBinary) sound.push(message);
    else said.push(trySoundEventSchema.parse(JSON.parse(message.toString())));
  });
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return { socket, said, sound, closed };
}
