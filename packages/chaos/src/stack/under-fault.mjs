/**
 * Loaded into a process of the product before its program: blocks its event loop on demand, which cannot be done from
 * outside. The product is unaware of it.
 */
process.on('message', (message) => {
  if (typeof message.blockMs === 'number')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, message.blockMs);
});
// The process that controls us is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
