--[[
  Frees the funds and the slot of a reservation, and refreshes the account's balance if the given one is newer. One script
  for both: if the hold were freed before the cost is known, the money could be spent twice.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] accounts
    ARGV[1] call id
    ARGV[2] account id
    ARGV[3] reservation id
    ARGV[4] balance, micros; empty if nothing was settled
    ARGV[5] balance version; empty if nothing was settled

  Output, the first that applies:
    {'closed'}
    {'released'}
    {'not_held'}  the balance was refreshed anyway
]]

--- @include "open-gate"
--- @include "account"
--- @include "hold"

local gateKey, holdsKey, accountsKey = KEYS[1], KEYS[2], KEYS[3]
local callId, accountId, reservationId = ARGV[1], ARGV[2], ARGV[3]
local balance = ARGV[4] ~= '' and toInteger(ARGV[4])
local balanceVersion = ARGV[5] ~= '' and toNatural(ARGV[5])

if not openToken(gateKey) then
  return { 'closed' }
end

local record = redis.call('HGET', accountsKey, accountId)
if not record then
  return { 'not_held' }
end

local account = decodeAccount(record)
local refreshed = balanceVersion and refreshBalance(account, balance, balanceVersion)

local standing = redis.call('HGET', holdsKey, callId)
local hold = standing and decodeHold(standing)
local held = hold and hold.reservationId == reservationId and hold.accountId == accountId
if held then
  account.held = account.held - hold.amount
  account.openCalls = account.openCalls - 1
  redis.call('HDEL', holdsKey, callId)
end
if held or refreshed then
  redis.call('HSET', accountsKey, accountId, encodeAccount(account))
end
return { held and 'released' or 'not_held' }
