/**
 * Reads a program's arguments with `read`. Prints the usage and exits with 0 for `--help` or `-h`. If `read` throws,
 * prints the message and the usage and exits with 2, without a stack, since a wrong argument is not a bug.
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
