const HOST = /^[a-z+]+:\/\//i;

/** The errors in a lockfile (version 3), one sentence each. */
export function lockfileErrors(lockfile) {
  const faults = [];
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    // The workspaces and the links to them.
    if (!path.includes('node_modules/') || entry.link) continue;
    const spec = `${path.split('node_modules/').at(-1)}@${entry.version}`;
    if (HOST.test(entry.resolved ?? '')) {
      faults.push(`${spec} names a host: run npm install with this repository's .npmrc`);
    }
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) {
      faults.push(`${spec} has no sha512 integrity: add what \`npm view ${spec} dist.integrity\` prints`);
    }
  }
  return faults;
}
