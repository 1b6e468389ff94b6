import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type { Evaluation, EvaluationSummary, NewEvaluation, PageOptions, Scenario } from '../types.ts';

const PATH = '/api/v1/agents/{agent_id}/evaluations';
const ONE = '/api/v1/agents/{agent_id}/evaluations/{evaluation_id}';
const SCENARIOS = '/api/v1/agents/{agent_id}/scenarios';

/** Which evaluation. */
type EvaluationKey = Pick<Evaluation, 'agent_id' | 'id'>;

/** Conversations of an agent with simulated callees. Needs the scope `manage`. */
export class EvaluationsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Without `scenarios`, those that are saved with the agent. With a key it is accepted once, however often it is sent. */
  async create(
    agentId: string,
    body: NewEvaluation = {},
    options: RequestOptions & { readonly idempotencyKey?: string } = {},
  ): Promise<Evaluation> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    const params = { path: { agent_id: agentId }, header: { 'Idempotency-Key': idempotencyKey } };
    const init = { params, body, fetch: this.#api.transport.sendRepeatable, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(PATH, init))).evaluation;
  }

  /** Newest first. */
  list(
    agentId: string,
    { cursor: first, ...rest }: PageOptions = {},
    options: RequestOptions = {},
  ): Pages<EvaluationSummary> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const params = { path: { agent_id: agentId }, query };
      const page = await bodyOf(this.#api.http.GET(PATH, { params, ...withSignal(options) }));
      return pageOf(page.evaluations, page);
    }, first);
  }

  async get(of: EvaluationKey, options: RequestOptions = {}): Promise<Evaluation> {
    return (await bodyOf(this.#api.http.GET(ONE, { params: paramsOf(of), ...withSignal(options) }))).evaluation;
  }

  async cancel(of: EvaluationKey, options: RequestOptions = {}): Promise<Evaluation> {
    const init = { params: paramsOf(of), fetch: this.#api.transport.sendRepeatable, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(`${ONE}/cancel`, init))).evaluation;
  }

  /** Those that are saved with the agent. */
  async scenarios(agentId: string, options: RequestOptions = {}): Promise<readonly Scenario[]> {
    const params = { path: { agent_id: agentId } };
    return (await bodyOf(this.#api.http.GET(SCENARIOS, { params, ...withSignal(options) }))).scenarios;
  }

  /** Replaces all of them. */
  async saveScenarios(
    agentId: string,
    scenarios: NonNullable<NewEvaluation['scenarios']>,
    options: RequestOptions = {},
  ): Promise<readonly Scenario[]> {
    const init = { params: { path: { agent_id: agentId } }, body: { scenarios }, ...withSignal(options) };
    return (await bodyOf(this.#api.http.PUT(SCENARIOS, init))).scenarios;
  }
}

function paramsOf({ agent_id: agentId, id }: EvaluationKey) {
  return { path: { agent_id: agentId, evaluation_id: id } };
}
