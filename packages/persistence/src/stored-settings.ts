import type { StoredSettings } from '@outdial/calls';
import { savedAgentSettingsSchema } from '@outdial/contracts';

/** A field that only a later version knows is left out: while versions change, workers of both drive calls. */
const storedSchema = savedAgentSettingsSchema.strip();

/** Reads settings that any version may have saved: what it did not know yet gets its default. */
export function readSettings(stored: unknown): StoredSettings {
  const { data, error } = storedSchema.safeParse(stored);
  if (data) return { kind: 'usable', settings: data };
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`);
  return { kind: 'unusable', problem: problems.join('; ') };
}

/** A version never changes, so that it is read once for all of its calls. */
export interface SettingsCache {
  settingsOf(agentId: string, version: number, stored: unknown): StoredSettings;
}

const MOST_VERSIONS = 1_000;

export function createSettingsCache(): SettingsCache {
  // A Map keeps the order of insertion: the first key is the oldest.
  const known = new Map<string, StoredSettings>();
  return {
    settingsOf(agentId, version, stored) {
      const key = `${agentId}/${version}`;
      const found = known.get(key);
      if (found) return found;
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= MOST_VERSIONS) known.delete(oldest);
      const read = readSettings(stored);
      known.set(key, read);
      return read;
    },
  };
}
