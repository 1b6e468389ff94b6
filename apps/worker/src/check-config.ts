/** Validates the settings and exits, with the errors on standard error. Opens no connection. */
import { reportConfig } from '@outdial/kernel';
import { readConfig } from './settings/config.ts';
import { mediaAddressOf } from './settings/sip-settings.ts';

await reportConfig(() => {
  const config = readConfig(process.env);
  if (config.OUTDIAL_CARRIER === 'sip' && config.OUTDIAL_WORKER_ROLES.has('calls')) mediaAddressOf(config);
});
