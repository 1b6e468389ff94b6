#!/usr/bin/env node
/** The `outdial` command. */
import { run } from './run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));
process.stdout.on('error', (error) => {
  // The reader may stop early, as `head` does.
  if (!('code' in error && error.code === 'EPIPE')) throw error;
});
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interruption.signal,
});
// A question that is still open would keep the process.
process.stdin.destroy();
