interface Host {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  /** Every host has it. Without a common member the compiler would not compare the types. */
  readonly fetch: unknown;
}

/** A variable of the environment, where there is one: not in a browser or a worker of the edge. */
export function fromEnvironment(name: string): string | undefined {
  const host: Host = globalThis;
  const value = host.process?.env?.[name];
  return value === '' ? undefined : value;
}
