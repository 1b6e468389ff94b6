// Loaded into a child process before its program: stops the program when its parent is gone. A killed parent cannot
// signal its children, but the IPC channel between them closes in any case.

/**
 * Added to the drain time of calls in progress. The stores went with the parent, so without a limit the child would
 * wait for them forever.
 */
const GRACE_SECONDS = 20;

process.once('disconnect', () => {
  const drainSeconds = Number(process.env.OUTDIAL_DRAIN_SECONDS) || 10;
  setTimeout(() => process.exit(1), (drainSeconds + GRACE_SECONDS) * 1_000).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The listener alone must not keep a finished program alive.
process.channel?.unref();
