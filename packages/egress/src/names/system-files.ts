import { readFileSync, statSync } from 'node:fs';

/** What a file says, parsed again once the file has changed. A file that is missing says nothing. */
export function createWatchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let last: { readonly changedMs: number; readonly parsed: T } | null = null;
  return () => {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? MISSING;
    if (last?.changedMs === changedMs) return last.parsed;
    const parsed = parse(changedMs === MISSING ? '' : readFileSync(path, 'utf8'));
    last = { changedMs, parsed };
    return parsed;
  };
}

const MISSING = 0;

/** Addresses by name, as hosts(5) lists them. Names are in lower case. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const [address = '', ...names] = line.split(/\s+/);
    for (const name of names.map((each) => each.toLowerCase())) {
      addresses.set(name, [...(addresses.get(name) ?? []), address]);
    }
  }
  return addresses;
}

/** How resolv.conf(5) completes a name. */
export interface SearchRules {
  readonly domains: readonly string[];
  /** A name with fewer dots is completed before it is asked for as it is. */
  readonly dots: number;
}

export function parseResolvConf(text: string): SearchRules {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const line of linesOf(text)) {
    const [keyword, ...values] = line.split(/\s+/);
    // Of `search` and `domain` the last one counts.
    if (keyword === 'search' || keyword === 'domain') domains = values.filter((value) => value !== '.');
    if (keyword !== 'options') continue;
    const given = values.findLast((value) => /^ndots:\d+$/.test(value));
    if (given !== undefined) dots = Number(given.slice('ndots:'.length));
  }
  return { domains, dots };
}

/** The names that a name may stand for, in the order in which they are asked for. */
export function candidatesOf(name: string, { domains, dots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= dots ? [name, ...completed] : [...completed, name];
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter((line) => line !== '');
