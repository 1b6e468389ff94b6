/** The database could not be brought to the newest migration. The message names the migration and says what to do. */
export class MigrationError extends Error {
  /** The migration's folder name; undefined where no single one is at fault. */
  readonly migration: string | undefined;

  constructor(message: string, options: { readonly migration?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MigrationError';
    this.migration = options.migration;
  }
}
