import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { baseUrlOf, readStartConfig } from './config.ts';
import { assertPortFree } from './port.ts';

describe('the configuration of npm start', () => {
  test('has a default for every variable', () => {
    expect(readStartConfig({})).toEqual({
      PORT: 3_000,
      HOST: '127.0.0.1',
      OUTDIAL_DATA_DIR: '.data',
      DATABASE_URL: undefined,
      REDIS_URL: undefined,
      OUTDIAL_CARRIER: 'sip',
      OUTDIAL_CALLEE_SIP_PORT: undefined,
      LOG_LEVEL: 'warn',
      OUTDIAL_DRAIN_SECONDS: 10,
    });
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['OUTDIAL_CARRIER', 'pigeon'],
    ['OUTDIAL_CALLEE_SIP_PORT', '0'],
    ['LOG_LEVEL', 'loud'],
    ['OUTDIAL_DRAIN_SECONDS', '-1'],
  ])('names %s when it is %j', (name, value) => {
    expect(() => readStartConfig({ [name]: value })).toThrow(
      new RegExp(`^${name}${name.endsWith('_URL') ? '' : `=${value}`} cannot be used: it must be .+\\.$`),
    );
  });

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:3000/api/v1'],
    ['0.0.0.0', 'http://127.0.0.1:3000/api/v1'],
    ['::', 'http://[::1]:3000/api/v1'],
    ['localhost', 'http://localhost:3000/api/v1'],
  ])('with the API listening on %s, it is reached at %s', (HOST, baseUrl) => {
    expect(baseUrlOf({ HOST, PORT: 3_000 })).toBe(baseUrl);
  });
});

describe('a port', () => {
  test('that is taken is reported in one sentence that says what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(assertPortFree('127.0.0.1', port)).rejects.toThrow(
      `Port ${port} is in use by another program: stop that program, or choose another port with \`PORT=${port + 1} npm start\`.`,
    );
    server.close();
    await once(server, 'close');
    await expect(assertPortFree('127.0.0.1', port)).resolves.toBeUndefined();
  });

  test('of an address that this machine does not have is rejected', async () => {
    await expect(assertPortFree('192.0.2.1', 3_000)).rejects.toThrow('192.0.2.1 is not an address of this machine');
  });
});
