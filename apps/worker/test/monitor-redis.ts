import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Every command that Redis gets from now on, as MONITOR prints it. Over a plain socket: ioredis throws if a command
 * arrives right behind the OK, because it takes it for an answer that it did not ask for.
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
