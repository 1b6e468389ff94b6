import { Worker } from 'node:worker_threads';

/**
 * Starts the engine's thread from the adjacent file: the built one in production, the source in development and in
 * tests.
 */
export function startFliteThread(): Worker {
  if (import.meta.url.endsWith('.js'))
    return new Worker(new URL('./flite-thread.js', import.meta.url), { execArgv: [] });
  const entry = new URL('./flite-thread-from-source.mjs', import.meta.url);
  return new Worker(entry, { execArgv: ['--conditions=@outdial/source'] });
}
