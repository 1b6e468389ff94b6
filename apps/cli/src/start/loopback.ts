/** The simulated telephone network and the simulated providers serve this machine only. */
export const LOOPBACK = '127.0.0.1';
