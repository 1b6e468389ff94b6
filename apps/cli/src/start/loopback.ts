import { isIPv4 } from 'node:net';

/** The simulated telephone network and the simulated providers serve this machine only. */
export const LOOPBACK = '127.0.0.1';

/** Whether only this machine can connect to an address or name. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
