--[[
  A monitor stops listening and frees its place.

  Input:
    KEYS[1] monitors of the account
    KEYS[2] monitors in the call
    ARGV[1] monitor
    ARGV[2] call id
    ARGV[3] the channel of monitors

  Output:
    {'left'}                  now or before; the call's worker learns for how long others listen
]]

--- @include "amount"
--- @include "monitors"

local ofKey, inKey = KEYS[1], KEYS[2]
local monitor, callId, channel = ARGV[1], ARGV[2], ARGV[3]

redis.call('ZREM', ofKey, monitor)
redis.call('ZREM', inKey, monitor)
local now = nowMs()
dropLapsedMonitors(inKey, now)
announceMonitors(channel, inKey, callId, now)
return { 'left' }
