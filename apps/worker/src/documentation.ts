/** What the documentation and the chart are made and tested from. The service itself does not import this file. */
export { HEALTH_PATHS } from './lifecycle/health.ts';
export { workerEnv } from './settings/config.ts';
