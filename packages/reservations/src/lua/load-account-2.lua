--[[
  Adds an account that the gate has not loaded since it was built.

  Input:
    KEYS[1] gate
    KEYS[2] accounts
    ARGV[1] token under which the account was unknown
    ARGV[2] account id
    ARGV[3] balance, micros
    ARGV[4] balance version
    ARGV[5] capacity
    ARGV[6] capacity version

  Output, the first that applies:
    {'closed'}
    {'loaded'}
]]

--- @include "open-gate"
--- @include "account"

local gateKey, accountsKey = KEYS[1], KEYS[2]
local token, accountId = ARGV[1], ARGV[2]
local balance, balanceVersion = toInteger(ARGV[3]), toNatural(ARGV[4])
local capacity, capacityVersion = toNatural(ARGV[5]), toNatural(ARGV[6])

-- A balance read before a rebuild may be older than a debit. The old gate had the debit, but the rebuilt gate does not
-- have the account: without a version to compare, the old balance would stay and the debit would be lost.
if openToken(gateKey) ~= token then
  return { 'closed' }
end

local record = redis.call('HGET', accountsKey, accountId)
local account
if record then
  account = decodeAccount(record)
  refreshBalance(account, balance, balanceVersion)
  refreshCapacity(account, capacity, capacityVersion)
else
  account = {
    balance = balance,
    balanceVersion = balanceVersion,
    capacity = capacity,
    capacityVersion = capacityVersion,
    held = 0,
    openCalls = 0,
  }
end
redis.call('HSET', accountsKey, accountId, encodeAccount(account))
return { 'loaded' }
