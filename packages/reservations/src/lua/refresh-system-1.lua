--[[
  Refreshes the system's capacity, if newer.

  Input:
    KEYS[1] gate
    ARGV[1] capacity
    ARGV[2] capacity version

  Output, the first that applies:
    {'closed'}
    {'unchanged'}
    {'refreshed'}
]]

--- @include "open-gate"
--- @include "amount"

local gateKey = KEYS[1]
local capacity, capacityVersion = toNatural(ARGV[1]), toNatural(ARGV[2])

if not openToken(gateKey) then
  return { 'closed' }
end
if capacityVersion <= toNatural(redis.call('HGET', gateKey, 'systemCapacityVersion')) then
  return { 'unchanged' }
end
redis.call('HSET', gateKey, 'systemCapacity', toText(capacity), 'systemCapacityVersion', toText(capacityVersion))
return { 'refreshed' }
