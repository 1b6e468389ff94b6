--[[
  Refreshes an account in the gate: balance and capacity, each if newer. Never creates a record: only a load, which is
  bound to a token, may do that.

  Input:
    KEYS[1] gate
    KEYS[2] accounts
    ARGV[1] account id
    ARGV[2] balance, micros
    ARGV[3] balance version
    ARGV[4] capacity
    ARGV[5] capacity version

  Output, the first that applies:
    {'closed'}
    {'unchanged'}
    {'refreshed'}
]]

--- @include "open-gate"
--- @include "account"

local gateKey, accountsKey = KEYS[1], KEYS[2]
local accountId = ARGV[1]
local balance, balanceVersion = toInteger(ARGV[2]), toNatural(ARGV[3])
local capacity, capacityVersion = toNatural(ARGV[4]), toNatural(ARGV[5])

if not openToken(gateKey) then
  return { 'closed' }
end

local record = redis.call('HGET', accountsKey, accountId)
if not record then
  return { 'unchanged' }
end

local account = decodeAccount(record)
local newerBalance = refreshBalance(account, balance, balanceVersion)
local newerCapacity = refreshCapacity(account, capacity, capacityVersion)
if not newerBalance and not newerCapacity then
  return { 'unchanged' }
end
redis.call('HSET', accountsKey, accountId, encodeAccount(account))
return { 'refreshed' }
