/** The simulated telephone network serves this machine only. */
export const CALLEE_ADDRESS = '127.0.0.1';
