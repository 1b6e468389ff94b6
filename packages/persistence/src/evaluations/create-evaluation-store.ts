import type { Database } from '../database.ts';
import { beginEvaluation } from './begin-evaluation.ts';
import { beginRun } from './begin-run.ts';
import { endLostRuns, endRun, renewRun, startableRuns } from './drive-run.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import { cancelEvaluation, findEvaluation, listEvaluations } from './read-evaluations.ts';
import { readScenarios, saveScenarios } from './scenarios.ts';

export function createEvaluationStore({ side }: Pick<Database, 'side'>): EvaluationStore {
  const database = { side };
  return {
    begin: (input) => beginEvaluation(database, input),
    list: (input) => listEvaluations(database, input),
    find: (input) => findEvaluation(database, input),
    cancel: (input) => cancelEvaluation(database, input),
    startable: (input) => startableRuns(database, input),
    beginRun: (input) => beginRun(database, input),
    renewRun: (input) => renewRun(database, input),
    endRun: (input) => endRun(database, input),
    endLostRuns: () => endLostRuns(database),
    scenariosOf: (input) => readScenarios(database, input),
    saveScenarios: (input) => saveScenarios(database, input),
  };
}
