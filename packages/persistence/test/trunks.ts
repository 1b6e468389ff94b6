import { randomBytes } from 'node:crypto';
import { trunkOf } from '@outdial/calls/testing';
import { trunkNameSchema, type TrunkName } from '@outdial/contracts';
import type { TrunkSettings } from '../src/index.ts';

export const newTrunkName = (): TrunkName => trunkNameSchema.parse(`t-${randomBytes(6).toString('hex')}`);

/** A trunk's settings, without its name and password. */
export function trunkSettings(changes: Partial<TrunkSettings> = {}): TrunkSettings {
  const { name: _name, credentials: _credentials, enabled: _enabled, ...settings } = trunkOf(changes);
  return settings;
}
