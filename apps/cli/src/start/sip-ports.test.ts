import { createSocket } from 'node:dgram';
import { once, type EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { readStartConfig } from './config.ts';
import { chooseSipPorts } from './sip-ports.ts';

/** Resolves once it listens or fails: `once` would reject on an error. */
const tried = (socket: EventEmitter) =>
  new Promise<void>((resolve) => void socket.once('listening', () => resolve()).once('error', () => resolve()));

test('default ports give way to a program that uses them, by TCP or UDP', async () => {
  const tcp = createServer();
  const udp = createSocket('udp4');
  // In use, by this test or by another program.
  await tried(tcp.listen(5_080, '127.0.0.1'));
  await tried(udp.bind(5_060, '127.0.0.1'));
  const ports = await chooseSipPorts(readStartConfig({}), {});
  tcp.close();
  udp.close();
  expect([5_080, ports.worker]).not.toContain(ports.callee);
  expect(ports.worker).not.toBe(5_060);
});

test('chosen ports do not give way', async () => {
  const port = await freePort();
  const env = { OUTDIAL_CALLEE_SIP_PORT: String(port), SIP_PORT: '5070' };
  expect(await chooseSipPorts(readStartConfig(env), env)).toEqual({ callee: port, worker: undefined });
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(chooseSipPorts(readStartConfig(env), env)).rejects.toThrow(
    `Port ${port} is in use by another program: stop that program, or choose another port with \`OUTDIAL_CALLEE_SIP_PORT=`,
  );
  server.close();
});
