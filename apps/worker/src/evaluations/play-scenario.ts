import type { ConductedSettings, Criterion } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { RunJob, RunResult } from '@outdial/persistence';
import { openedModels } from '../model-thread/conducted-conversations.ts';
import type { OpenedModel } from '../model-thread/messages.ts';
import { tryVariables } from '../tries/open-text-mind.ts';
import { heldAs } from '../tries/ports.ts';
import { takePlace } from '../tries/take-place.ts';
import { judgeRun } from './judge-run.ts';
import { modelsByRole } from './models-by-role.ts';
import type { Persona, PersonaListener } from './persona.ts';
import type { EvaluationDeps } from './ports.ts';
import { errored } from './errored.ts';
import type { RunGuard } from './run-guard.ts';
import type { RunUsage } from './run-usage.ts';
import { ScenarioConversation } from './scenario-conversation.ts';
import { openScriptedPersona } from './scripted-persona.ts';

/** The models of a run, opened. Null: the credential is gone, or the run has no such model. */
interface Opened {
  /** The one that answers, and those that it delegates to. */
  readonly agent: readonly OpenedModel[];
  readonly judge: OpenedModel | null;
  readonly persona: OpenedModel | null;
}

/** The conversation and its judgment. */
export async function playScenario(
  deps: EvaluationDeps,
  job: RunJob,
  usage: RunUsage,
  guard: RunGuard,
): Promise<RunResult> {
  const { settings } = job;
  if (settings.kind !== 'usable' || settings.settings.driver === 'scripted') return errored('settings_unusable');
  const criteria = criteriaOf(job, settings.settings);
  if (criteria.length === 0) return errored('settings_unusable');
  const place = await takePlace(deps, job, guard.signal);
  switch (place) {
    case 'taken': {
      const opened = await open(deps, job);
      if (opened === null) return errored('no_credential');
      return talkAndJudge({ deps, job, usage, guard, settings: settings.settings, opened, criteria });
    }
    case 'insufficient_funds':
      return errored(place);
    case 'none':
    case 'fenced':
      return errored(guard.problem ?? 'not_started');
    default:
      return unreachable(place);
  }
}

interface Playing {
  readonly deps: EvaluationDeps;
  readonly job: RunJob;
  readonly usage: RunUsage;
  readonly guard: RunGuard;
  readonly settings: ConductedSettings;
  readonly opened: Opened;
  readonly criteria: readonly Criterion[];
}

async function talkAndJudge(playing: Playing): Promise<RunResult> {
  const { deps, job, usage, guard, settings, opened, criteria } = playing;
  const { tryId, accountId } = job;
  const variables = tryVariables(job.variables, tryId, settings, deps.clock);
  const onUsage = () => {
    if (usage.isSpent) guard.stop('insufficient_funds');
  };
  const conversation = new ScenarioConversation({
    deps,
    job,
    // Its tools are not called: they need no secret.
    call: { callId: heldAs(tryId), accountId, settings, variables, models: opened.agent, secrets: new Map() },
    meter: { add: (entries) => usage.add('agent', entries) },
    onUsage,
    openPersona: (listener) => openPersona(playing, variables, onUsage, listener),
    signal: guard.signal,
  });
  const conversed = await conversation.run();
  const transcript = conversation.lines();
  if (guard.problem !== null) return errored(guard.problem, { transcript });
  if (conversed.kind === 'errored') return errored(conversed.problem, { transcript });
  const played = { transcript, endedReason: conversed.reason };
  const { judge: judgeModel } = opened;
  const of = { deps, job, criteria, variables, usage, onUsage, opened: judgeModel };
  const judged = await judgeRun({ ...of, lines: transcript, signal: guard.signal });
  if (judged.kind === 'errored') return errored(guard.problem ?? judged.problem, played);
  const { judgments } = judged;
  const verdict = judgments.every(({ passed }) => passed) ? 'passed' : 'failed';
  return { ...played, verdict, problem: null, judgments };
}

function openPersona(
  { deps, job, usage, opened }: Playing,
  variables: Readonly<Record<string, string>>,
  onUsage: () => void,
  listener: PersonaListener,
): Persona {
  const { persona } = job.scenario;
  switch (persona.kind) {
    case 'scripted':
      return openScriptedPersona({ persona, variables, listener });
    case 'model':
      return deps.openModelPersona({
        prompt: persona.prompt,
        llm: persona.llm ?? job.llm,
        model: opened.persona,
        variables,
        listener,
        used: (entries) => {
          usage.add('persona', entries);
          onUsage();
        },
      });
    default:
      return unreachable(persona);
  }
}

/** Those of the scenario, else of the agent's analysis. */
function criteriaOf({ scenario }: RunJob, { analysis }: ConductedSettings): readonly Criterion[] {
  const success = analysis?.success;
  return scenario.criteria ?? (success === undefined ? [] : [success]);
}

async function open({ opener }: EvaluationDeps, job: RunJob): Promise<Opened | null> {
  const found = await opener.open(job.accountId, [...new Set(job.models.map(({ credentialId }) => credentialId))]);
  const byRole = modelsByRole(job);
  const agent = openedModels(byRole.agent, found);
  const [judge = null] = openedModels(byRole.judge, found);
  const [persona = null] = openedModels(byRole.persona, found);
  return agent.length === 0 ? null : { agent, judge, persona };
}
