/** `npm run admin -- <noun> <verb>`. */
import { runAdmin } from './run-admin.ts';

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: { write: (text) => void process.stdout.write(text) },
  stderr: { write: (text) => void process.stderr.write(text) },
});
