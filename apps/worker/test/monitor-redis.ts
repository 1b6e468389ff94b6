import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Every command that Redis gets from now on, as MONITOR prints it. Over a plain socket: ioredis takes a command that
 * arrives right behind the OK for the answer to a command of its own, and throws.
 */
export async function monitorRedis(url: string) {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: string[] = [];
  socket.setEncoding('utf8');
  const login = password ? `AUTH ${username || 'default'} ${password}\r\n` : '';
  socket.write(`${login}MONITOR\r\n`);
  socket.on('data', (chunk: string) => chunks.push(chunk));
  await once(socket, 'data');
  return {
    commands: () => chunks.join(''),
    close: () => socket.destroy(),
  };
}
