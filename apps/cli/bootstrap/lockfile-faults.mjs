const HOST = /^[a-z+]+:\/\//i;

/**
 * What is wrong with a lockfile (version 3), a sentence for each fault. `exceptions` lists `name@version` of optional
 * packages that may lack a digest; an exception that is not needed is a fault too, so that the list only shrinks.
 */
export function lockfileFaults(lockfile, exceptions) {
  const unused = new Set(exceptions);
  const faults = [];
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    // The workspaces themselves, and the links to them.
    if (!path.includes('node_modules/') || entry.link) continue;
    const spec = `${path.split('node_modules/').at(-1)}@${entry.version}`;
    if (HOST.test(entry.resolved ?? '')) {
      faults.push(`${spec} names a host: run npm install with this repository's .npmrc`);
    }
    if (/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) continue;
    const isExcepted = entry.integrity === undefined && entry.optional === true && unused.delete(spec);
    if (!isExcepted)
      faults.push(`${spec} has no sha512 integrity: add what \`npm view ${spec} dist.integrity\` prints`);
  }
  for (const spec of unused) faults.push(`${spec} needs no exception: remove it from without-integrity.json`);
  return faults;
}
