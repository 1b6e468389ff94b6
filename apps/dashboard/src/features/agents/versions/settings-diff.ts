import type { AgentSettings } from '@outdial/contracts';

/** A field that differs between two versions. Undefined: the version does not have it. */
export interface FieldChange {
  /** In the settings: `tools.0.url`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Every field that differs, in the order of the earlier settings, then the new fields. */
export function diffSettings(before: AgentSettings, after: AgentSettings): readonly FieldChange[] {
  const [left, right] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((path) => {
    const change = { path, before: left.get(path), after: right.get(path) };
    return change.before === change.after ? [] : [change];
  });
}

/** The leaves of the settings by dotted path, as text. An empty list or object is a leaf too. */
function fieldsOf(settings: AgentSettings): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const visit = (path: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
      fields.set(path, typeof value === 'string' ? value : JSON.stringify(value));
      return;
    }
    for (const [key, inner] of Object.entries(value)) visit(path === '' ? key : `${path}.${key}`, inner);
  };
  visit('', settings);
  return fields;
}
