/** Validates the settings and exits, with the errors on standard error. Opens no file handle and no connection. */
import { reportConfig } from '@outdial/kernel';
import { readConfig } from './config.ts';

await reportConfig(() => readConfig(process.env));
