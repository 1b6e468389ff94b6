/** What to do with a URL that names more than one Postgres. */
export const SEVERAL_HOSTS =
  'it names several hosts, and one is supported. Name one that leads to the primary, such as a proxy or a DNS name that follows it';

/**
 * Whether a Postgres URL names one host alone. The driver takes a list for the name of a single host, which it never
 * finds, so that a list looks like an outage without end.
 */
export function namesOneHost(url: string): boolean {
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return !hosts.includes(',') && !parameters.getAll('host').some((host) => host.includes(','));
}
