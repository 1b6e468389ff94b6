/** Reads the settings and ends, with what is wrong with them on standard error: nothing is opened or connected to. */
import { reportConfig } from '@outdial/kernel';
import { readConfig } from './config.ts';
import { mediaAddressOf } from './sip-settings.ts';

await reportConfig(() => {
  const config = readConfig(process.env);
  if (config.OUTDIAL_CARRIER === 'sip') mediaAddressOf(config);
});
