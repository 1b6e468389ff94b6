import { userInfo } from 'node:os';

/** The name that the audit records for a change: the given one, otherwise the login name. */
export function actorName(given: string | undefined): string {
  const name = given?.trim();
  return name ? name : `os:${loginName()}`;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the system's user list, and so no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
