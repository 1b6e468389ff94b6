/** ioredis has no class or code for these: the text of its own errors is all that tells them apart. */
const AWAY_TEXTS =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Command aborted due to connection close|connect ETIMEDOUT)/;
/**
 * Redis itself answers these: it loads its data, follows a primary that it has lost, has been demoted, or belongs to a
 * cluster that is changing its primaries. They are about the server, not about the command.
 */
const SERVER_STATES = /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|UNBLOCKED) /;
/** The same refusal of a command within a script, as Redis 6 words it. */
const READONLY_IN_SCRIPT = /: -READONLY /;

/** True if an error of a Redis connection says that Redis is away, starting or hung, not what it thinks of a command. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  return (
    name === 'MaxRetriesPerRequestError' ||
    AWAY_TEXTS.test(message) ||
    SERVER_STATES.test(message) ||
    READONLY_IN_SCRIPT.test(message)
  );
}

/** True if Redis refused a write because it is a replica now. */
export function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY ') || READONLY_IN_SCRIPT.test(message);
}
