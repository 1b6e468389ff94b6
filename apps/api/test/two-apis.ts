import { createLogger } from '@outdial/kernel';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { startApi } from '../src/start.ts';

/** What one API has and the other does not. */
const bothSchema = z.tuple([z.record(z.string(), z.string()), z.record(z.string(), z.string())]);

/**
 * Two APIs in one process, which share compiled code, heap and background work: only their settings differ. Two
 * processes differ by several per cent for as long as they live.
 */
const logger = createLogger({ name: 'api', level: 'error' });
const running = await Promise.all(
  bothSchema.parse(JSON.parse(process.env['OUTDIAL_BENCH_APIS'] ?? '[]')).map(async (settings) => {
    return startApi(await readConfig({ ...process.env, ...settings }), logger);
  }),
);
process.on('SIGTERM', () => {
  void Promise.all(running.map((api) => api.stop())).then(() => process.exit(0));
});
