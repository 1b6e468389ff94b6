/** The settings and prices that the demo account starts with. */
export const DEMO_DIR = new URL('../../demo/', import.meta.url);
