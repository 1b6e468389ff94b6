--[[
  Stages part of a snapshot's accounts, with the sums over their holds.

  Input:
    KEYS[1] staged accounts
    ARGV[1] seconds after which an abandoned stage expires
    ARGV[2…] for each account: account id, balance in micros, balance version, capacity, capacity version,
             held in micros, open calls

  Output:
    {'staged'}
]]

--- @include "account"

local stagedKey = KEYS[1]

for index = 2, #ARGV, 7 do
  local account = {
    balance = toInteger(ARGV[index + 1]),
    balanceVersion = toNatural(ARGV[index + 2]),
    capacity = toNatural(ARGV[index + 3]),
    capacityVersion = toNatural(ARGV[index + 4]),
    held = toNatural(ARGV[index + 5]),
    openCalls = toNatural(ARGV[index + 6]),
  }
  redis.call('HSET', stagedKey, ARGV[index], encodeAccount(account))
end
redis.call('EXPIRE', stagedKey, ARGV[1])
return { 'staged' }
