/** ioredis has no class or code for these: the text of its own errors is all that tells them apart. */
const AWAY_TEXTS =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Command aborted due to connection close|connect ETIMEDOUT)/;
/** Redis itself says these while it loads its data or follows a master that it has lost. */
const STARTING = /^(?:LOADING|MASTERDOWN) /;

/** True if an error of a Redis connection says that Redis is away, starting or hung, not what it thinks of a command. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || AWAY_TEXTS.test(error.message) || STARTING.test(error.message);
}
