/** ioredis has no class or code for these errors: only their text identifies them. */
const AWAY_TEXTS =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Command aborted due to connection close|connect ETIMEDOUT)/;
/** No Sentinel answers, or the node of a cluster that has the slot is lost and not yet replaced. */
const GROUP_AWAY_TEXTS =
  /^(?:All sentinels are unreachable|Cluster isn't ready|Cluster is ended|None of startup nodes is available|Failed to refresh slots cache|Too many Cluster redirections)/;
/**
 * Replies of Redis itself: it is loading its data, follows a primary that it has lost, has been demoted, or belongs to a
 * cluster that is changing its primaries. They are about the server, not about the command.
 */
const SERVER_STATES = /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|UNBLOCKED) /;
/** The same rejection of a command within a script, as Redis 6 words it. */
const READONLY_IN_SCRIPT = /: -READONLY /;

/** True if the error means that Redis is away, starting or hung, rather than that it rejects a command. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  return (
    name === 'MaxRetriesPerRequestError' ||
    AWAY_TEXTS.test(message) ||
    GROUP_AWAY_TEXTS.test(message) ||
    SERVER_STATES.test(message) ||
    READONLY_IN_SCRIPT.test(message)
  );
}

/** True if Redis rejected a write because it is a replica now. */
export function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY ') || READONLY_IN_SCRIPT.test(message);
}
