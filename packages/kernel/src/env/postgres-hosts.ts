/** The error for a URL that names more than one Postgres host. */
export const SEVERAL_HOSTS =
  'it names several hosts, and one is supported. Name one that leads to the primary, such as a proxy or a DNS name that follows it';

/**
 * Whether a Postgres URL names a single host. The driver would take a list as the name of one host and never find it, so
 * that a list would look like an endless outage.
 */
export function namesOneHost(url: string): boolean {
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return !hosts.includes(',') && !parameters.getAll('host').some((host) => host.includes(','));
}
