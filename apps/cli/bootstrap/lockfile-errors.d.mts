interface Lockfile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly resolved?: string;
        readonly integrity?: string;
        readonly link?: boolean;
      }
    >
  >;
}

export function lockfileErrors(lockfile: Lockfile): readonly string[];
