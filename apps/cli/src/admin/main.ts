/** `npm run admin -- <noun> <verb>`. */
import { errorCode } from '../cli-error.ts';
import { runAdmin } from './run-admin.ts';

process.stdout.on('error', (error) => {
  // The reader may stop early, as `head` does. The command still finishes its work.
  if (errorCode(error) !== 'EPIPE') throw error;
});
process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: { write: (text) => void process.stdout.write(text) },
  stderr: { write: (text) => void process.stderr.write(text) },
});
