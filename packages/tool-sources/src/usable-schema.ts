import { UNSAFE_KEYWORDS } from '@outdial/contracts';

type JsonObject = Readonly<Record<string, unknown>>;

export type UsableSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly problem: string };

const MAX_DEPTH = 16;
const MAX_NODES = 2_000;
const MAX_PATTERN = 200;
/** Of all its texts. A definition that is referred to often may be as long as what the server sends. */
const MAX_CHARACTERS = 64 * 1_024;
const REFERENCE = /^#\/(?:\$defs|definitions)\/([^/]+)$/;
/** They name or hold parts of a schema for others, which are filled in where they are used. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...UNSAFE_KEYWORDS,
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  '$dynamicAnchor',
  'definitions',
]);
/** Their values are data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
/** The keys of their values are names of fields. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'dependentSchemas']);

class Unusable extends Error {}

/**
 * The schema of a tool at a server as models and checks can use it: references are filled in, and patterns, which may take
 * forever on what a model wrote, become a part of the description. The server checks its own rules itself. `clean` is
 * applied to every text.
 */
export function usableSchema(schema: JsonObject, clean: (text: string) => string): UsableSchema {
  try {
    return { ok: true, schema: { ...new Rewriting(schema, clean).schema(schema), type: 'object' } };
  } catch (error) {
    if (error instanceof Unusable) return { ok: false, problem: error.message };
    throw error;
  }
}

class Rewriting {
  readonly #root: JsonObject;
  readonly #cleanText: (text: string) => string;
  readonly #within = new Set<string>();
  #nodes = 0;
  #charactersLeft = MAX_CHARACTERS;

  constructor(root: JsonObject, clean: (text: string) => string) {
    this.#root = root;
    this.#cleanText = clean;
  }

  schema(value: JsonObject, depth = 0): JsonObject {
    this.#count(depth);
    const { $ref: reference } = value;
    if (typeof reference === 'string') return this.#resolved(reference, value, depth);
    const entries = Object.entries(value).filter(([keyword]) => !LEFT_OUT.has(keyword));
    const rewritten = entries.map(
      ([keyword, inner]) => [this.#clean(keyword), this.#keyword(keyword, inner, depth)] as const,
    );
    return Object.fromEntries([...rewritten, ...this.#patternNote(value)]);
  }

  #patternNote({ pattern, description }: JsonObject): readonly (readonly [string, unknown])[] {
    if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) return [];
    const before = typeof description === 'string' && description !== '' ? `${description} ` : '';
    return [['description', this.#clean(`${before}Pattern: ${pattern}`)]];
  }

  #keyword(keyword: string, value: unknown, depth: number): unknown {
    if (DATA.has(keyword)) return this.#data(value, depth + 1);
    if (!NAMED.has(keyword) || !isObject(value)) return this.#part(value, depth);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.#clean(name), this.#part(inner, depth)]),
    );
  }

  #part(value: unknown, depth: number): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#part(inner, depth + 1));
    if (isObject(value)) return this.schema(value, depth + 1);
    this.#count(depth);
    return typeof value === 'string' ? this.#clean(value) : value;
  }

  #data(value: unknown, depth: number): unknown {
    this.#count(depth);
    if (typeof value === 'string') return this.#clean(value);
    if (Array.isArray(value)) return value.map((inner) => this.#data(inner, depth + 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.#clean(name), this.#data(inner, depth + 1)]),
    );
  }

  #resolved(reference: string, value: JsonObject, depth: number): JsonObject {
    const name = REFERENCE.exec(reference)?.[1];
    if (name === undefined) throw new Unusable('refers to a schema elsewhere');
    if (this.#within.has(name)) throw new Unusable('refers to itself');
    const [definitions, older] = [this.#root['$defs'], this.#root['definitions']];
    const target = [definitions, older].flatMap((all) =>
      isObject(all) && Object.hasOwn(all, name) ? [all[name]] : [],
    )[0];
    if (!isObject(target)) throw new Unusable('refers to a definition that it does not have');
    this.#within.add(name);
    const resolved = this.schema(target, depth);
    this.#within.delete(name);
    const beside = Object.fromEntries(Object.entries(value).filter(([keyword]) => keyword !== '$ref'));
    return { ...resolved, ...this.schema(beside, depth) };
  }

  #clean(text: string): string {
    this.#charactersLeft -= text.length;
    if (this.#charactersLeft < 0) throw new Unusable('has too many characters');
    return this.#cleanText(text);
  }

  #count(depth: number): void {
    this.#nodes += 1;
    if (depth > MAX_DEPTH) throw new Unusable(`is nested deeper than ${MAX_DEPTH} levels`);
    if (this.#nodes > MAX_NODES) throw new Unusable('has too many parts');
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
