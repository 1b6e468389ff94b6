/**
 * Reads a program's arguments with `read`. Prints the usage and ends the process with 0 for `--help` or `-h`, and with 2,
 * below the message of the error, if `read` throws: a wrong argument is no defect that a stack would explain.
 */
export function orUsage<Options>(usage: string, read: () => Options): Options {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage}\n`);
    return process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return process.exit(2);
  }
}
