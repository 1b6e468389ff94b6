import type { AgentId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import type { Demo } from '../instance/demo-file.ts';
import type { StartConfig } from './config.ts';

/** What conducts the first call. */
export const DRIVERS = ['realtime', 'cascade', 'scripted'] as const;
export type Driver = (typeof DRIVERS)[number];

/**
 * The chosen driver, or the one that shows most. The carrier inside the worker has no place for models, since its calls
 * may run faster than life.
 *
 * @throws CliError
 */
export function firstDriver(chosen: Driver | undefined, carrier: StartConfig['OUTDIAL_CARRIER']): Driver {
  if (carrier === 'sip') return chosen ?? 'realtime';
  if (chosen === undefined || chosen === 'scripted') return 'scripted';
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
