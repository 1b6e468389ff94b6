--[[
  Limits the system's capacity to what its trunks can carry, within its setting.

  Input:
    KEYS[1] gate
    ARGV[1] capacity, no more than the setting
    ARGV[2] version of that setting

  Output, the first that applies:
    {'closed'}
    {'unchanged'}   the gate has another version of the setting
    {'limited'}
]]

--- @include "open-gate"
--- @include "amount"

local gateKey = KEYS[1]
local capacity, capacityVersion = toNatural(ARGV[1]), toNatural(ARGV[2])

if not openToken(gateKey) then
  return { 'closed' }
end
if toNatural(redis.call('HGET', gateKey, 'systemCapacityVersion')) ~= capacityVersion then
  return { 'unchanged' }
end
redis.call('HSET', gateKey, 'systemCapacity', toText(capacity))
return { 'limited' }
