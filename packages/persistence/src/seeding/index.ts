export {
  accountSeed,
  randomNumber,
  seedAccount,
  seedCaller,
  type AccountOptions,
  type RunStatement,
  type SeededAccount,
} from './account-seed.ts';
export { campaignSettings } from './campaign-settings.ts';
