import { Command } from 'commander';
import { addAccountVerbs } from './nouns/accounts.ts';
import { addAgentVerbs } from './nouns/agents.ts';
import { addCallVerbs } from './nouns/calls.ts';
import { addCampaignVerbs } from './nouns/campaigns.ts';
import { addCapacityVerbs } from './nouns/capacity.ts';
import { addCredentialVerbs } from './nouns/credentials.ts';
import { addDestinationVerbs } from './nouns/destinations.ts';
import { addRetentionVerbs } from './nouns/retention.ts';
import { addDiallingVerbs } from './nouns/dialling.ts';
import { addKeyVerbs } from './nouns/keys.ts';
import { addNumberVerbs } from './nouns/numbers.ts';
import { addModelRateVerbs } from './nouns/model-rates.ts';
import { addPolicyVerbs } from './nouns/policies.ts';
import { addRateVerbs } from './nouns/rates.ts';
import { addSecretVerbs } from './nouns/secrets.ts';
import { addSuppressionVerbs } from './nouns/suppressions.ts';
import { addTrunkVerbs } from './nouns/trunks.ts';
import { addUserVerbs } from './nouns/users.ts';
import { addWalletVerbs } from './nouns/wallet.ts';
import { addWebhookVerbs } from './nouns/webhooks.ts';
import { addWorkerVerbs } from './nouns/workers.ts';
import type { RunVerb } from './verb.ts';

export interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The complete command line of the administration. */
export function createProgram({ out, err }: ProgramOutput, runVerb: RunVerb): Command {
  const program = new Command('npm run admin --')
    .description('Administers the Outdial at DATABASE_URL and REDIS_URL, or the one that `npm start` runs.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError('Run it with --help to see the commands and flags.')
    .addHelpText(
      'after',
      [
        '',
        'Exit codes: 0 done, 1 failed, 2 wrong usage.',
        '',
        'Examples:',
        "  npm run admin -- accounts create --name 'Acme'",
        '  npm run admin -- wallet top-up --account <account-id> --amount 25.00',
        '  npm run admin -- calls list --account <account-id> --json',
      ].join('\n'),
    );
  addAccountVerbs(program, runVerb);
  addKeyVerbs(program, runVerb);
  addAgentVerbs(program, runVerb);
  addNumberVerbs(program, runVerb);
  addRateVerbs(program, runVerb);
  addModelRateVerbs(program, runVerb);
  addDestinationVerbs(program, runVerb);
  addSuppressionVerbs(program, runVerb);
  addPolicyVerbs(program, runVerb);
  addWalletVerbs(program, runVerb);
  addCapacityVerbs(program, runVerb);
  addRetentionVerbs(program, runVerb);
  addDiallingVerbs(program, runVerb);
  addWorkerVerbs(program, runVerb);
  addTrunkVerbs(program, runVerb);
  addCredentialVerbs(program, runVerb);
  addSecretVerbs(program, runVerb);
  addWebhookVerbs(program, runVerb);
  addCallVerbs(program, runVerb);
  addCampaignVerbs(program, runVerb);
  addUserVerbs(program, runVerb);
  return program;
}
