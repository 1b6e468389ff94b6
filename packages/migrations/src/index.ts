export { applyMigrations, type AppliedMigrations, type ApplyMigrationsOptions } from './apply-migrations.ts';
export { MigrationError } from './migration-error.ts';
export { schemaDrift, type SchemaDrift, type SchemaDriftOptions } from './schema-drift.ts';
