// What the command line needs of users, without better-auth, which is slow to load.
export {
  createUserAdministration,
  newPassword,
  type UserAdministration,
  type UserRecord,
  type UserRef,
  type UserSearch,
} from './administer-users.ts';
export { hashPassword } from './passwords.ts';
export { userIdSchema } from './session.ts';
