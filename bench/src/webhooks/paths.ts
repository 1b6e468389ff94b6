/** Requests to URLs below get no answer. */
export const HANGING_PATH = '/hangs/';
