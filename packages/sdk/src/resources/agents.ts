import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type { Agent, AgentSummary, AgentVersion, AgentVersionDetail, NewAgentSettings, PageOptions } from '../types.ts';

const PATH = '/api/v1/agents';
const ONE = '/api/v1/agents/{agent_id}';

export class AgentsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The agents that the account may use, oldest first. */
  list({ cursor: first, ...rest }: PageOptions = {}, options: RequestOptions = {}): Pages<AgentSummary> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#api.http.GET(PATH, { params: { query }, ...withSignal(options) }));
      return pageOf(page.agents, page);
    }, first);
  }

  async get(agentId: string, options: RequestOptions = {}): Promise<Agent> {
    const params = { path: { agent_id: agentId } };
    return (await bodyOf(this.#api.http.GET(ONE, { params, ...withSignal(options) }))).agent;
  }

  /** Needs the scope `manage`. It is not repeated when its answer is lost: look at the list first. */
  async create(settings: NewAgentSettings, options: RequestOptions = {}): Promise<Agent> {
    return (await bodyOf(this.#api.http.POST(PATH, { body: { settings }, ...withSignal(options) }))).agent;
  }

  /** Saves a new version. @throws ConflictError if `base_version` is no longer the current one */
  async update(
    agentId: string,
    change: { readonly settings: NewAgentSettings; readonly base_version: number },
    options: RequestOptions = {},
  ): Promise<Agent> {
    const params = { path: { agent_id: agentId } };
    return (await bodyOf(this.#api.http.PATCH(ONE, { params, body: change, ...withSignal(options) }))).agent;
  }

  /** Newest first. */
  versions(
    agentId: string,
    { cursor: first, ...rest }: PageOptions = {},
    options: RequestOptions = {},
  ): Pages<AgentVersion> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const params = { path: { agent_id: agentId }, query };
      const page = await bodyOf(this.#api.http.GET(`${ONE}/versions`, { params, ...withSignal(options) }));
      return pageOf(page.versions, page);
    }, first);
  }

  async version(agentId: string, version: number, options: RequestOptions = {}): Promise<AgentVersionDetail> {
    const params = { path: { agent_id: agentId, version } };
    const answer = this.#api.http.GET(`${ONE}/versions/{version}`, { params, ...withSignal(options) });
    return (await bodyOf(answer)).version;
  }
}
