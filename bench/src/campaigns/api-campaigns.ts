import { z } from 'zod';
import type { BenchAccount } from '../seed.ts';

const campaignSchema = z.object({ campaign: z.object({ id: z.string(), state: z.string() }) });
const uploadSchema = z.object({ upload: z.object({ rows: z.number(), accepted: z.number() }) });

const MOST_TRIES = 5;

/** A store did not answer in time: the machine's disk was busy, with a checkpoint for example. */
class NotConfirmedError extends Error {}

/** The routes of campaigns, of one API process. */
export interface CampaignsApi {
  /** @returns the id of a draft */
  create(settings?: Readonly<Record<string, unknown>>): Promise<string>;
  /** @returns how many contacts were added */
  addFile(campaignId: string, file: readonly Uint8Array[]): Promise<number>;
  /** Repeats what was not confirmed in time, as a client does: a second request changes nothing. */
  act(campaignId: string, action: 'start' | 'pause' | 'resume' | 'cancel'): Promise<void>;
  state(campaignId: string): Promise<string>;
}

export function campaignsApi(port: number, { agentId, apiKey }: BenchAccount): CampaignsApi {
  const url = `http://127.0.0.1:${port}/api/v1/campaigns`;
  const headers = { 'x-api-key': apiKey };

  async function answer(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    if (response.status === 503) throw new NotConfirmedError(text);
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }
  const post = (path: string, json: object) =>
    answer(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });

  return {
    async create(settings = {}) {
      return campaignSchema.parse(await post('', { name: 'Bench', agent_id: agentId, ...settings })).campaign.id;
    },
    async addFile(campaignId, file) {
      const { upload } = uploadSchema.parse(
        await answer(`/${campaignId}/contacts`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/csv' },
          body: ReadableStream.from(file),
          duplex: 'half',
        }),
      );
      return upload.accepted;
    },
    async act(campaignId, action) {
      for (let tries = 1; ; tries += 1) {
        try {
          await post(`/${campaignId}/${action}`, {});
          return;
        } catch (error) {
          if (!(error instanceof NotConfirmedError) || tries === MOST_TRIES) throw error;
        }
      }
    },
    async state(campaignId) {
      return campaignSchema.parse(await answer(`/${campaignId}`, { headers })).campaign.state;
    },
  };
}
