import { headerKey, isListHeader } from './header-names.ts';
import { splitOutside } from './scan.ts';

/** Characters that would end a header field early, so that its value could inject header fields. */
// oxlint-disable-next-line no-control-regex -- NUL is one of them
const BREAKS_A_LINE = /[\r\n\0]/;

export class InvalidHeaderError extends Error {
  override readonly name = 'InvalidHeaderError';
}

/** Header fields in order, by long name, case-insensitive. List fields hold one entry each. */
export class Headers {
  #fields: (readonly [key: string, value: string])[];

  constructor(fields: Iterable<readonly [name: string, value: string]> = []) {
    this.#fields = [];
    for (const [name, value] of fields) this.add(name, value);
  }

  /** The first value, or undefined. */
  get(name: string): string | undefined {
    const key = headerKey(name);
    return this.#fields.find(([candidate]) => candidate === key)?.[1];
  }

  all(name: string): string[] {
    const key = headerKey(name);
    return this.#fields.filter(([candidate]) => candidate === key).map(([, value]) => value);
  }

  /** Whether a list such as Supported or Require holds the token, case-insensitive. */
  lists(name: string, token: string): boolean {
    return this.all(name).some((value) => value.toLowerCase() === token.toLowerCase());
  }

  /** @throws `InvalidHeaderError` for a value that is not a single line. */
  add(name: string, value: string): this {
    const key = headerKey(name);
    if (BREAKS_A_LINE.test(value) || !/^[\w.!%*+`'~-]+$/.test(key)) {
      throw new InvalidHeaderError(`Header field ${JSON.stringify(name)} must be one line: remove its line breaks.`);
    }
    if (isListHeader(key)) for (const entry of splitOutside(value, ',')) this.#fields.push([key, entry]);
    else this.#fields.push([key, value]);
    return this;
  }

  prepend(name: string, value: string): this {
    this.#fields.unshift([headerKey(name), value]);
    return this;
  }

  /** Replaces all values of the field with one. */
  set(name: string, value: string): this {
    return this.remove(name).add(name, value);
  }

  remove(name: string): this {
    const key = headerKey(name);
    this.#fields = this.#fields.filter(([candidate]) => candidate !== key);
    return this;
  }

  copy(): Headers {
    return new Headers(this);
  }

  [Symbol.iterator](): Iterator<readonly [key: string, value: string]> {
    return this.#fields[Symbol.iterator]();
  }
}
