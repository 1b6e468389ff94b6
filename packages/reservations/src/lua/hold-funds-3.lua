--[[
  Sets funds of an account aside for a charge that is not a call's. No capacity refuses it. Until it is released it counts
  as a slot of its account and of the system: as long as one statement takes, or a try, of which an account has few.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] accounts
    ARGV[1] call id
    ARGV[2] account id
    ARGV[3] reservation id
    ARGV[4] hold, micros

  Output, the first that applies:
    {'closed'}
    {'held', token}
    {'duplicate'}
    {'account_unknown', token}
    {'insufficient_funds', available micros}
]]

--- @include "open-gate"
--- @include "account"
--- @include "hold"
--- @include "now"

local gateKey, holdsKey, accountsKey = KEYS[1], KEYS[2], KEYS[3]
local callId, accountId, reservationId, amount = ARGV[1], ARGV[2], ARGV[3], toNatural(ARGV[4])

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end

local standing = redis.call('HGET', holdsKey, callId)
if standing then
  local hold = decodeHold(standing)
  if hold.reservationId == reservationId and hold.accountId == accountId then
    return { 'held', token }
  end
  return { 'duplicate' }
end

local record = redis.call('HGET', accountsKey, accountId)
if not record then
  return { 'account_unknown', token }
end
local account = decodeAccount(record)
local available = account.balance - account.held
if available < amount then
  return { 'insufficient_funds', toText(available) }
end

account.held = account.held + amount
account.openCalls = account.openCalls + 1
local hold = { accountId = accountId, reservationId = reservationId, amount = amount, sinceMs = nowMs() }
redis.call('HSET', holdsKey, callId, encodeHold(hold))
redis.call('HSET', accountsKey, accountId, encodeAccount(account))
return { 'held', token }
