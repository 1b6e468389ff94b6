/** What the reference of the documentation is generated from. The service itself does not import this file. */
export { workerEnv } from './settings/config.ts';
