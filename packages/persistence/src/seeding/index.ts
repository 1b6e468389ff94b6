export {
  accountSeed,
  randomNumber,
  seedAccount,
  seedCaller,
  type AccountOptions,
  type RunStatement,
  type SeededAccount,
} from './account-seed.ts';
