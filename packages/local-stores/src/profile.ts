/**
 * The purpose of the stores.
 *
 * - `durable`: survives a power cut with every committed row (Postgres) and all but the last second (Redis).
 * - `fast`: for tests; survives no power cut, and has room for many databases and connections.
 */
export type StoreProfile = 'durable' | 'fast';
