import type { StoredSettings } from '@outdial/calls';
import { storedAgentSettingsSchema } from '@outdial/contracts';

/** Parses settings that any version may have saved: fields that it did not have get their defaults. */
export function readSettings(stored: unknown): StoredSettings {
  const { data, error } = storedAgentSettingsSchema.safeParse(stored);
  if (data) return { kind: 'usable', settings: data };
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`);
  return { kind: 'unusable', problem: problems.join('; ') };
}

/** A version never changes, so it is parsed once for all of its calls. */
export interface SettingsCache {
  settingsOf(agentId: string, version: number, stored: unknown): StoredSettings;
}

const MAX_VERSIONS = 1_000;

export function createSettingsCache(): SettingsCache {
  // A Map keeps insertion order: the first key is the oldest.
  const known = new Map<string, StoredSettings>();
  return {
    settingsOf(agentId, version, stored) {
      const key = `${agentId}/${version}`;
      const found = known.get(key);
      if (found) return found;
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= MAX_VERSIONS) known.delete(oldest);
      const read = readSettings(stored);
      known.set(key, read);
      return read;
    },
  };
}
