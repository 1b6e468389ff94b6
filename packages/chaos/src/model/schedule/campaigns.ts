import type { CampaignHours, CampaignSettings } from '@outdial/calls';
import { e164Schema } from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import type { CampaignWish } from '@outdial/persistence';
import { RING_TIMEOUT_SECONDS } from '../processes/fixtures.ts';
import type { ActionKind, CampaignChoices } from '../profile.ts';
import type { KnownCampaign, UploadUnderWay } from '../world/campaigns.ts';
import { settle } from '../world/clock.ts';
import type { Api, World } from '../world/world.ts';
import { choose, rest, type Act } from './action.ts';
import { RETRIED, RETRY_AFTER_SECONDS } from './later.ts';
import { running } from './processes.ts';

const PLAN = {
  agentVersion: 1,
  callerNumber: e164Schema.parse('+12025550100'),
  maxDurationSeconds: 60,
  ringTimeoutSeconds: RING_TIMEOUT_SECONDS,
};

const WISHES: readonly CampaignWish[] = [
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'resume' },
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'start', plan: PLAN },
  { kind: 'cancel' },
];

const WEIGHTS = [10, 30] as const;

const MOST_LINES = 4;

/** Hours that are never open. */
const CLOSED: CampaignHours = {
  time_zone: 'Europe/Berlin',
  days: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
};

export const MOVABLE = ['draft', 'scheduled', 'running', 'paused'] as const;

/** What owners do with their campaigns. */
export const CAMPAIGN_ACTS = {
  async start_campaign(world, pick) {
    const { campaigns, parties, profile } = world;
    const api = choose(running(world.apis), pick);
    const party = choose(parties, rest(pick));
    if (!api || !party || profile.campaigns === null || campaigns.all.length >= profile.campaigns.count) return;
    const other = rest(rest(pick));
    const campaign = await campaigns.create(party, settingsOf(world, profile.campaigns, other));
    const contacts = campaigns.newContacts(choose(profile.campaigns.contacts, other) ?? 1);
    const own = api.campaignsOf(party.accountId).campaigns;
    ask(world, async () => {
      await own.addContacts(campaign.id, contacts);
      await own.changeState(campaign.id, { kind: 'start', plan: PLAN });
    });
    await settle();
  },
  steer_campaign: (world, pick) =>
    inCampaign(world, pick, (api, { id, party }) => {
      const wish = choose(WISHES, rest(rest(pick)));
      if (wish) ask(world, () => api.campaignsOf(party.accountId).campaigns.changeState(id, wish));
    }),
  change_campaign: (world, pick) =>
    inCampaign(world, pick, (api, { id, party }) => {
      const { campaigns: choices } = world.profile;
      if (choices === null) return;
      const other = rest(rest(pick));
      const { callsPerSecond, maxConcurrent, endsAtMs, budgetMicros } = settingsOf(world, choices, other);
      const window = choices.hasHours && other % 2 === 0 ? CLOSED : null;
      // One of them: each is changed often enough.
      const change = choose(
        [{ callsPerSecond }, { maxConcurrent }, { endsAtMs }, { budgetMicros }, { window }],
        Math.floor(other / 7),
      );
      if (change) ask(world, () => api.campaignsOf(party.accountId).campaigns.update(id, { change, states: MOVABLE }));
    }),
  add_contacts: (world, pick) =>
    inCampaign(world, pick, (api, { id, party }) => {
      const contacts = world.campaigns.newContacts(1 + (rest(rest(pick)) % 2));
      ask(world, () => api.campaignsOf(party.accountId).campaigns.addContacts(id, contacts));
    }),
  /** A file begins, or the next part of one arrives. */
  async upload(world, pick) {
    const { uploads } = world.campaigns;
    for (const gone of uploads.filter(({ process }) => process.state === 'gone'))
      uploads.splice(uploads.indexOf(gone), 1);
    const underWay = uploads.filter(({ isBusy, process }) => !isBusy && process.state === 'running');
    // One in three begins another one, if there is any.
    const next = pick % 3 === 0 ? undefined : choose(underWay, rest(pick));
    if (next) await goOn(world, next, rest(rest(pick)));
    else await inCampaign(world, pick, (api, campaign) => begin(world, api, campaign));
  },
  async sweep({ workers }, pick) {
    choose(running(workers), pick)?.sweep();
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

async function inCampaign(world: World, pick: number, act: (api: Api, campaign: KnownCampaign) => void): Promise<void> {
  const api = choose(running(world.apis), pick);
  const campaign = choose(world.campaigns.all, rest(pick));
  if (!api || !campaign) return;
  act(api, campaign);
  await settle();
}

/** A client that hears nothing, or that it may not, asks no further. */
function ask({ promises }: World, request: () => Promise<unknown>): void {
  void request().catch((error: unknown) => {
    if (error instanceof InvariantError || error instanceof TypeError) promises.violate('defect', String(error));
  });
}

function begin(world: World, api: Api, campaign: KnownCampaign): void {
  const { process } = api;
  const own = api.campaignsOf(campaign.party.accountId).uploads;
  ask(world, async () => {
    const begun = await own.begin(campaign.id, { fileName: null });
    if (begun.kind === 'removing') await own.removeSome(campaign.id);
    if (begun.kind !== 'begun') return;
    const { upload } = begun;
    world.campaigns.uploads.push({ process, campaign, upload, batch: [], lines: 0, isBusy: false });
  });
}

/** Half of the files are added to, others end: most are whole. */
async function goOn(world: World, underWay: UploadUnderWay, pick: number): Promise<void> {
  const { upload } = underWay;
  const { uploads } = world.campaigns;
  const over = () => void uploads.splice(uploads.indexOf(underWay), 1);
  underWay.isBusy = true;
  ask(world, async () => {
    try {
      if (underWay.batch.length > 0 || (pick % 2 === 0 && underWay.lines < MOST_LINES))
        await add(world, underWay, over);
      else if (pick % 8 === 7) await upload.fail('the client is gone').then(over);
      else await upload.finish({ refuseInvalid: false }).then(over);
    } finally {
      underWay.isBusy = false;
    }
  });
  await settle();
}

async function add({ campaigns }: World, underWay: UploadUnderWay, over: () => void): Promise<void> {
  if (underWay.batch.length === 0)
    underWay.batch = campaigns
      .newContacts(2)
      .map((contact, index) => ({ ...contact, line: underWay.lines + index + 1 }));
  const { batch, upload } = underWay;
  const outcome = await upload.add({ contacts: batch, problems: [], invalid: 0 });
  underWay.lines += batch.length;
  underWay.batch = [];
  if (outcome !== 'added') over();
}

function settingsOf({ clock }: World, choices: CampaignChoices, pick: number): Omit<CampaignSettings, 'agentId'> {
  // Each choice from other digits of the same number.
  let left = pick;
  const draw = <Item>(items: readonly Item[]): Item | null => {
    const item = items[left % items.length] ?? null;
    left = Math.floor(left / items.length) + 1;
    return item;
  };
  const at = (inMs: number | null) => (inMs === null ? null : clock.nowMs + inMs);
  const attempts = draw(choices.maxAttempts) ?? 1;
  const budget = draw(choices.budgetMicros);
  return {
    name: 'Autumn',
    callerNumber: null,
    columns: {},
    defaultCountry: null,
    retry: attempts === 1 ? null : { max_attempts: attempts, on: [...RETRIED], after_seconds: [RETRY_AFTER_SECONDS] },
    maxConcurrent: draw(choices.maxConcurrent),
    callsPerSecond: draw(choices.callsPerSecond),
    endsAtMs: at(draw(choices.endsInMs)),
    startsAtMs: at(draw(choices.startsInMs)),
    budgetMicros: budget === null ? null : BigInt(budget),
    weight: draw(WEIGHTS) ?? 10,
    window: null,
    maxDurationSeconds: null,
    ringTimeoutSeconds: null,
    webhookUrl: null,
    metadata: {},
  };
}
