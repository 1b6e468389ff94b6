import { userInfo } from 'node:os';

/** Who is answerable for a change: the name that was given, else the one of the login. */
export function actorName(given: string | undefined): string {
  const name = given?.trim();
  return name ? name : `os:${loginName()}`;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the system's list, and no name then.
    return String(process.getuid?.() ?? 'unknown');
  }
}
