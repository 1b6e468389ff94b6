import type { AgentId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import type { Demo } from '../instance/demo-file.ts';
import type { StartConfig } from './config.ts';

/** What conducts the first call. */
export const DRIVERS = ['realtime', 'cascade', 'scripted'] as const;
export type Driver = (typeof DRIVERS)[number];

/** Why the demo's models conduct no call. */
export const MODELS_OUT_OF_REACH =
  'the simulated models are out of reach while HOST opens the API to other machines. With OUTDIAL_EGRESS_ALLOW=127.0.0.0/8 tools of all accounts may reach this machine.';

/**
 * The chosen driver, or the one that shows most. The carrier inside the worker has no place for models, since its calls
 * may run faster than life; and simulated models need a way to this machine.
 *
 * @throws CliError
 */
export function firstDriver(
  chosen: Driver | undefined,
  { carrier, reachesModels }: { readonly carrier: StartConfig['OUTDIAL_CARRIER']; readonly reachesModels: boolean },
): Driver {
  if (carrier === 'sip' && reachesModels) return chosen ?? 'realtime';
  if (chosen === undefined || chosen === 'scripted') return 'scripted';
  if (carrier === 'sip') throw new CliError(`--driver ${chosen}: ${MODELS_OUT_OF_REACH}`, { exitCode: 2 });
  throw new CliError(`--driver ${chosen} needs calls over SIP: leave out OUTDIAL_CARRIER=${carrier}.`, { exitCode: 2 });
}

/** The demo's agent with this driver. */
export function agentOf(demo: Demo, driver: Driver): AgentId {
  switch (driver) {
    case 'realtime':
      return demo.model_agent_id;
    case 'cascade':
      return demo.cascade_agent_id;
    case 'scripted':
      return demo.agent_id;
    default:
      return unreachable(driver);
  }
}
