/** Reads the settings and ends, with what is wrong with them on standard error: nothing is opened or connected to. */
import { reportConfig } from '@outdial/kernel';
import { readConfig } from './config.ts';

await reportConfig(() => readConfig(process.env));
