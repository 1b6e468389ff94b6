// Loaded into a child process before its program: asks it to end when its parent is gone. A parent that was killed
// outright cannot tell its children to stop; the channel between them closes all the same.

/** Beyond the time that calls in progress get. The stores went with the parent, and who waits for them waits for ever. */
const GRACE_SECONDS = 20;

process.once('disconnect', () => {
  const drainSeconds = Number(process.env.OUTDIAL_DRAIN_SECONDS) || 10;
  setTimeout(() => process.exit(1), (drainSeconds + GRACE_SECONDS) * 1_000).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The listener alone would keep a program alive that has nothing left to do.
process.channel?.unref();
