/** What the reference of the documentation is generated from. The command line itself does not import this file. */
export { createProgram } from './admin/program.ts';
export { startEnv } from './start/config.ts';
