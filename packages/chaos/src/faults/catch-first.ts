import type { Service } from '../stack/service.ts';
import type { Caught, Trap } from '../stack/trap.ts';

/** Sets a trap on each service. The first that catches something disarms the others. */
export async function catchFirst(
  services: readonly Service[],
  arm: (service: Service) => Trap,
): Promise<{ readonly worker: Service; readonly caught: Caught }> {
  const traps = services.map((worker) => ({ worker, trap: arm(worker) }));
  const first = await Promise.race(traps.map(async ({ worker, trap }) => ({ worker, caught: await trap.caught })));
  for (const { worker, trap } of traps) {
    if (worker === first.worker) continue;
    trap.disarm();
    void trap.caught.then((other) => other.release());
  }
  return first;
}
