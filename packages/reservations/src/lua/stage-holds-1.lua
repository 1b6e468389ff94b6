--[[
  Stages part of a snapshot's holds. In parts, so that a large snapshot never blocks Redis for long.

  Input:
    KEYS[1] staged holds
    ARGV[1] seconds after which an abandoned stage expires
    ARGV[2…] for each hold: call id, account id, reservation id, hold in micros

  Output:
    {'staged'}
]]

--- @include "hold"
--- @include "now"

local stagedKey = KEYS[1]
local sinceMs = nowMs()

for index = 2, #ARGV, 4 do
  local hold = {
    accountId = ARGV[index + 1],
    reservationId = ARGV[index + 2],
    amount = toNatural(ARGV[index + 3]),
    sinceMs = sinceMs,
  }
  redis.call('HSET', stagedKey, ARGV[index], encodeHold(hold))
end
redis.call('EXPIRE', stagedKey, ARGV[1])
return { 'staged' }
