import { claimDataFolder, type StoreEnd } from '@outdial/local-stores';
import { CliError, errorText } from '../cli-error.ts';
import { dataFolderAt, type DataFolder } from '../instance/data-folder.ts';
import { removeInstance, writeInstance } from '../instance/instance-file.ts';
import { stepLine } from '../terminal/step.ts';
import { createApiClient } from '../demo-call/api-client.ts';
import { beginDashboard, buildDocs, dashboardStep } from './background-builds.ts';
import { checkServiceSettings } from './check-settings.ts';
import { baseUrlOf } from './config.ts';
import { ensureSecrets } from './ensure-secrets.ts';
import { agentOf, firstDriver, MODELS_OUT_OF_REACH, type Driver } from './driver.ts';
import { FIRST_CALLEE } from './options.ts';
import { placeCall } from './place-call.ts';
import { assertPortFree } from './port.ts';
import type { SeededDemo } from './seed-demo.ts';
import { showAccess } from './show-result.ts';
import { egressAllowOf } from './service-env.ts';
import { chooseSipPorts } from './sip-ports.ts';
import { startCallee } from './start-callee.ts';
import { chooseModelsPort, modelsUrl, startModels } from './start-models.ts';
import type { StartInput } from './start-input.ts';
import { startServices } from './start-services.ts';
import { demoStep, migrateStep, storesStep } from './steps.ts';
import { aborted } from './stop-signals.ts';

/**
 * Brings up the whole product, shows it, and runs until it stops.
 *
 * @throws the reason of the stop: StopRequested, or CliError, StoreSetupError, MigrationError with one sentence.
 */
export async function runStart(input: StartInput): Promise<void> {
  const { options, config, env, stop, cleanup, terminal } = input;
  // A database of the user's own gets a demo account only on request.
  const wantsDemo = options.demo || config.DATABASE_URL === undefined;
  const needsDemo = options.call === undefined ? options.driver && '--driver' : '--call';
  if (needsDemo !== undefined && !wantsDemo) {
    throw new CliError(`${needsDemo} needs the demo account: add --demo to create it in your database.`, {
      exitCode: 2,
    });
  }
  const reachesModels = Boolean(egressAllowOf(input));
  const driver = firstDriver(options.driver, { carrier: config.OUTDIAL_CARRIER, reachesModels });
  const baseUrl = baseUrlOf(config);
  const overSip = config.OUTDIAL_CARRIER === 'sip';
  await checkServiceSettings(input, { withCallee: overSip && wantsDemo, withModels: wantsDemo });
  const dashboard = beginDashboard(input);

  // Before the ports: if an instance already runs here, the claim's error explains more than a busy port.
  const claim = await claimDataFolder(config.OUTDIAL_DATA_DIR);
  cleanup.addSilent(() => claim.release());
  const folder = dataFolderAt(claim.path);
  await assertPortFree(config.HOST, config.PORT);
  const sipPorts = overSip ? await chooseSipPorts(config, env) : undefined;
  const modelsPort = wantsDemo ? await chooseModelsPort(config) : undefined;
  stop.requested.throwIfAborted();

  const otherPorts = [config.PORT, sipPorts?.callee, sipPorts?.worker, modelsPort].filter((port) => port !== undefined);
  const stores = await storesStep(input, claim, otherPorts);
  cleanup.add(() => stores.close());
  void stores.ended.then((end) => stop.fail(storeFailure(end)));
  const { databaseUrl, redisUrl } = stores;
  stop.requested.throwIfAborted();

  await migrateStep(input, databaseUrl);
  const { pepper, secretKey } = await ensureSecrets(input, folder, databaseUrl);
  const seeded =
    modelsPort === undefined
      ? undefined
      : await demoStep(input, {
          databaseUrl,
          pepper,
          secretKey,
          baseUrl,
          modelsUrl: modelsUrl(modelsPort),
          folder,
        });
  const instance = { pid: process.pid, base_url: baseUrl, database_url: databaseUrl, redis_url: redisUrl };
  await writeInstance(folder.instancePath, instance);
  cleanup.addSilent(() => removeInstance(folder.instancePath, process.pid));
  stop.requested.throwIfAborted();

  if (modelsPort !== undefined) await startModels(input, modelsPort);
  if (modelsPort !== undefined && !reachesModels) terminal.print(stepLine(' ', 'Models', MODELS_OUT_OF_REACH));
  if (sipPorts && seeded) await startCallee(input, { databaseUrl, port: sipPorts.callee });
  const hasTestNumbers = !overSip || seeded !== undefined;
  const sipPort = sipPorts?.worker;
  await startServices(input, {
    dataDir: folder.path,
    stores,
    pepper,
    secretKey,
    baseUrl,
    sipPort,
    hasTestNumbers,
  });
  await dashboardStep(input, dashboard, new URL(baseUrl).origin);
  if (seeded) await placeFirstCall(input, { seeded, driver, folder });
  stop.requested.throwIfAborted();

  buildDocs(input);
  terminal.print();
  if (seeded) showAccess(terminal, { ...seeded, agentId: agentOf(seeded.demo, driver), demoPath: folder.demoPath });
  else showBareAccess(input, baseUrl);
  terminal.print();
  terminal.print(`  ${terminal.paint.good('Running.')} Ctrl-C stops everything.`);
  await aborted(stop.requested);
  stop.requested.throwIfAborted();
}

function storeFailure({ name, how, logPath, lastLines }: StoreEnd): CliError {
  const log = lastLines.map((line) => `      ${line}`).join('\n');
  return new CliError(
    `${name} ended (${how}): start again; accepted calls are kept. The last lines of ${logPath}:\n${log}`,
  );
}

/** Places the call that `--call` asks for, or a first one that shows a newcomer what the product does. */
async function placeFirstCall(
  input: StartInput,
  { seeded, driver, folder }: { readonly seeded: SeededDemo; readonly driver: Driver; readonly folder: DataFolder },
): Promise<void> {
  const { options, terminal, clock, stop } = input;
  const { demo, isFirstStart } = seeded;
  const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock });
  await api.warmUp();
  const to = options.call ?? (isFirstStart ? FIRST_CALLEE : undefined);
  if (to === undefined || stop.requested.aborted) return;
  try {
    await placeCall(input, { api, demo, agentId: agentOf(demo, driver), to, folder, stop: stop.requested });
  } catch (error) {
    stop.requested.throwIfAborted();
    // A rejected call (an empty wallet, a number without a rate) must not stop the product.
    terminal.print(stepLine(terminal.paint.bad('✗'), errorText(error), ''));
  }
}

function showBareAccess({ terminal }: StartInput, baseUrl: string): void {
  terminal.print(stepLine(' ', 'Base URL', baseUrl));
  terminal.print();
  terminal.print("  Run `npm run admin -- accounts create --name 'Acme'`, or start with --demo.");
}
