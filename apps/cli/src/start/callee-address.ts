/** The simulated telephone network is for this machine alone. */
export const CALLEE_ADDRESS = '127.0.0.1';
