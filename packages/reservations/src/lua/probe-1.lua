--[[
  Checks whether scripts may identify the Redis they run in.

  Input:
    KEYS[1] gate: in a cluster its node is the one that matters

  Output:
    {'identified', sections of INFO about replication, memory and persistence}
]]

--- @include "identity"
--- @include "now"

local gateKey = KEYS[1]

redis.call('EXISTS', gateKey)
readIdentity()
nowMs()
local info = {}
for _, section in ipairs({ 'replication', 'memory', 'persistence' }) do
  table.insert(info, redis.call('INFO', section))
end
return { 'identified', table.concat(info, '\n') }
