--[[
  Raises a hold to an absolute amount; never lowers it. Absolute, because a command that is delivered twice would add a
  relative amount twice.

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
    {'not_held'}
    {'enlarged', token}
    {'insufficient_funds', available micros}
]]

--- @include "open-gate"
--- @include "account"
--- @include "hold"

local gateKey, holdsKey, accountsKey = KEYS[1], KEYS[2], KEYS[3]
local callId, accountId, reservationId, amount = ARGV[1], ARGV[2], ARGV[3], toNatural(ARGV[4])

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end

local standing = redis.call('HGET', holdsKey, callId)
local hold = standing and decodeHold(standing)
if not hold or hold.reservationId ~= reservationId or hold.accountId ~= accountId then
  return { 'not_held' }
end

local growth = amount - hold.amount
if growth <= 0 then
  return { 'enlarged', token }
end

local account = decodeAccount(redis.call('HGET', accountsKey, accountId))
local available = account.balance - account.held
if available < growth then
  return { 'insufficient_funds', toText(available) }
end

hold.amount = amount
account.held = account.held + growth
redis.call('HSET', holdsKey, callId, encodeHold(hold))
redis.call('HSET', accountsKey, accountId, encodeAccount(account))
return { 'enlarged', token }
