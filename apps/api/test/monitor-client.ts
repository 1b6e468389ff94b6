import { once } from 'node:events';
import { parseLiveSound, type LiveSound } from '@outdial/contracts';
import { WebSocket } from 'ws';
import { refusedUpgrade } from './refused-upgrade.ts';

/** A browser that listens to a live call. */
export interface MonitorClient {
  readonly heard: LiveSound[];
  readonly socket: WebSocket;
  /** The code with which the connection ends. */
  readonly closed: Promise<number>;
  /** Resolves once so many messages have come. */
  until(count: number): Promise<readonly LiveSound[]>;
}

export interface MonitorPath {
  readonly url: string;
  readonly accountId: string;
  readonly callId: string;
}

const addressOf = ({ url, accountId, callId }: MonitorPath) =>
  `${url.replace('http', 'ws')}/api/dashboard/accounts/${accountId}/outbound/calls/${callId}/monitor`;

/** Rejects if the service does not upgrade the connection. */
export async function openMonitor(
  path: MonitorPath,
  headers: Readonly<Record<string, string>>,
): Promise<MonitorClient> {
  const socket = new WebSocket(addressOf(path), { headers, perMessageDeflate: false });
  socket.binaryType = 'nodebuffer';
  const heard: LiveSound[] = [];
  socket.on('message', (message: Buffer) => {
    const sound = parseLiveSound(message);
    if (sound !== null) heard.push(sound);
  });
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return {
    heard,
    socket,
    closed,
    async until(count) {
      while (heard.length < count) await once(socket, 'message');
      return heard;
    },
  };
}

/** The status and the code with which an upgrade is refused. */
export function refusedMonitor(
  path: MonitorPath,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, string]> {
  return refusedUpgrade(addressOf(path), headers);
}
