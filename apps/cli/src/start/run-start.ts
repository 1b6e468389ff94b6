import { claimDataFolder, type LocalStores } from '@outdial/local-stores';
import { CliError, errorText } from '../cli-error.ts';
import { dataFolderAt, ensureDataFolder, type DataFolder } from '../instance/data-folder.ts';
import { removeInstance, writeInstance } from '../instance/instance-file.ts';
import { stepLine } from '../terminal/step.ts';
import { createApiClient } from './api-client.ts';
import { beginDashboard, dashboardStep } from './build-dashboard.ts';
import { buildDocs } from './build-docs.ts';
import { checkServiceSettings } from './check-settings.ts';
import type { Cleanup } from './cleanup.ts';
import { baseUrlOf } from './config.ts';
import { ensureSecrets } from './ensure-secrets.ts';
import { superviseStores } from './supervise-stores.ts';
import { FIRST_CALLEE } from './options.ts';
import { placeCall } from './place-call.ts';
import { assertPortFree } from './port.ts';
import type { SeededDemo } from './seed-demo.ts';
import type { LaunchedService } from './services.ts';
import { showAccess } from './show-result.ts';
import type { StartInput } from './start-input.ts';
import { chooseSipPorts } from './sip-ports.ts';
import { startCallee } from './start-callee.ts';
import { startServices } from './start-services.ts';
import { demoStep, migrateStep, storesStep } from './steps.ts';
import { aborted, type StopSignals } from './stop-signals.ts';

/**
 * Brings up the whole product, shows it, and runs until it is asked to stop.
 *
 * @throws CliError, StoreSetupError, MigrationError: one sentence for the user.
 */
export async function runStart(input: StartInput): Promise<void> {
  const { options, config, stop, cleanup, terminal, clock } = input;
  // A database of the user's own gets a demo account only on request.
  const wantsDemo = options.demo || config.DATABASE_URL === undefined;
  if (options.call !== undefined && !wantsDemo) {
    throw new CliError('--call needs the demo account: add --demo to create it in your database.', { exitCode: 2 });
  }
  const folder = dataFolderAt(config.OUTDIAL_DATA_DIR);
  const baseUrl = baseUrlOf(config);
  const overSip = config.OUTDIAL_CARRIER === 'sip';
  const withCallee = overSip && wantsDemo;
  await checkServiceSettings(input, withCallee);
  if (stop.requested.aborted) return;
  const dashboard = beginDashboard(input);
  await ensureDataFolder(folder);
  // Before the ports: if an instance already runs here, the claim's error explains more than a busy port.
  const claim = await claimDataFolder(folder.path);
  cleanup.addSilent(() => claim.release());
  await assertPortFree(config.HOST, config.PORT);
  const sipPorts = overSip ? await chooseSipPorts(config, input.env) : undefined;
  if (stop.requested.aborted) return;

  const otherPorts = [config.PORT, sipPorts?.callee, sipPorts?.worker].filter((port) => port !== undefined);
  const stores = await storesStep(input, claim, otherPorts);
  cleanup.add(() => stores.close());
  const storeGivenUp = superviseStores({ stores, dataDir: folder.path, terminal, clock });
  if (stop.requested.aborted) return;
  await migrateStep(input, stores.databaseUrl);
  const { pepper, secretKey } = await ensureSecrets(input, folder, stores.databaseUrl);
  const seeded = wantsDemo
    ? await demoStep(input, { databaseUrl: stores.databaseUrl, pepper, baseUrl, folder })
    : undefined;
  await announceInstance(cleanup, folder, stores, baseUrl);
  if (stop.requested.aborted) return;

  const { databaseUrl } = stores;
  const callee = sipPorts && seeded ? await startCallee(input, { databaseUrl, port: sipPorts.callee }) : undefined;
  if (stop.requested.aborted) return;
  const launched = await startServices(input, {
    folder,
    stores,
    pepper,
    secretKey,
    baseUrl,
    sipPort: sipPorts?.worker,
    hasTestNumbers: !overSip || callee !== undefined,
  });
  if (!launched) return;
  await dashboardStep(input, dashboard, new URL(baseUrl).origin);
  const services = callee ? [callee, ...launched] : launched;
  if (seeded) await placeFirstCall(input, seeded, folder);
  if (stop.requested.aborted) return;
  buildDocs(input);
  terminal.print();
  if (seeded) showAccess(terminal, { ...seeded, demoPath: folder.demoPath });
  else showBareAccess(input, baseUrl);
  terminal.print();
  terminal.print(`  ${terminal.paint.good('Running.')} Ctrl-C stops everything.`);

  await stayUp(stop, storeGivenUp, services);
}

/** Runs until a stop request. @throws the reason when a store or a service does not stay up. */
async function stayUp(
  stop: StopSignals,
  storeGivenUp: Promise<Error>,
  services: readonly LaunchedService[],
): Promise<void> {
  const end = await Promise.race([
    aborted(stop.requested),
    storeGivenUp,
    ...services.map(({ service }) => service.finished),
  ]);
  if (end instanceof Error) throw end;
  if (end === 'gave_up') {
    throw new CliError(
      'A part of Outdial keeps failing: see above for why. Calls are kept; start again once it is fixed.',
    );
  }
}

/** Places the call that `--call` asks for, or a first one that shows a newcomer what the product does. */
async function placeFirstCall(input: StartInput, seeded: SeededDemo, folder: DataFolder): Promise<void> {
  const { options, terminal, clock, stop } = input;
  const { demo, isFirstStart } = seeded;
  const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock });
  await api.warmUp();
  const to = options.call ?? (isFirstStart ? FIRST_CALLEE : undefined);
  if (to === undefined || stop.requested.aborted) return;
  try {
    await placeCall(input, { api, demo, to, folder, stop: stop.requested });
  } catch (error) {
    // A rejected call (an empty wallet, a number without a rate) must not stop the product.
    terminal.print(stepLine(terminal.paint.bad('✗'), errorText(error), ''));
  }
}

async function announceInstance(
  cleanup: Cleanup,
  folder: DataFolder,
  stores: LocalStores,
  baseUrl: string,
): Promise<void> {
  await writeInstance(folder.instancePath, {
    pid: process.pid,
    base_url: baseUrl,
    database_url: stores.databaseUrl,
    redis_url: stores.redisUrl,
  });
  cleanup.addSilent(() => removeInstance(folder.instancePath, process.pid));
}

function showBareAccess({ terminal }: StartInput, baseUrl: string): void {
  terminal.print(stepLine(' ', 'Base URL', baseUrl));
  terminal.print();
  terminal.print("  Run `npm run admin -- accounts create --name 'Acme'`, or start with --demo.");
}
