/**
 * What the stores are for.
 *
 * - `durable`: keeps every committed row through a power cut (Postgres) and all but the last second (Redis).
 * - `fast`: for tests; keeps nothing through a power cut, and has room for many databases and connections.
 */
export type StoreProfile = 'durable' | 'fast';
