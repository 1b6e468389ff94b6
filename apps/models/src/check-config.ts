/** Reads the configuration and exits. Errors go to standard error; no port is opened. */
import { reportConfig } from '@outdial/kernel';
import { readConfig } from './config.ts';

await reportConfig(() => readConfig(process.env));
