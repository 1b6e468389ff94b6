/**
 * Loaded into a process of the product before its program: blocks its event loop when it is told to, which nothing
 * outside of a process can bring about. The product knows nothing of it.
 */
process.on('message', (told) => {
  if (typeof told.blockMs === 'number') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, told.blockMs);
});
// Whoever was to end us is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
