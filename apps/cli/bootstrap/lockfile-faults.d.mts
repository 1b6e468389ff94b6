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

export function lockfileFaults(lockfile: Lockfile): readonly string[];
