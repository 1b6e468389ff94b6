/** The database could not be migrated. The message has the migration's name and says what to do. */
export class MigrationError extends Error {
  /** The migration's folder name; undefined if the error concerns no single migration. */
  readonly migration: string | undefined;

  constructor(message: string, options: { readonly migration?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MigrationError';
    this.migration = options.migration;
  }
}
