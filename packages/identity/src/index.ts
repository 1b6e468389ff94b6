export {
  userIdSchema,
  type Membership,
  type Session,
  type SessionDirectory,
  type User,
  type UserId,
} from './session.ts';
export { newToken, tokenDigest } from './token.ts';
