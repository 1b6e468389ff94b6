export { trunkOf } from './trunks.ts';
