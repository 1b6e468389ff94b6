--[[
  At the dial: moves a call to a channel of this trunk, unless it has one already.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] channels
    KEYS[4] trunks
    ARGV[1] call id
    ARGV[2] reservation id
    ARGV[3] trunk
    ARGV[4] its channels
    ARGV[5] its calls per second

  Output, the first that applies:
    {'closed'}
    {'not_held'}
    {'stale', token}          the channels of this generation are not known yet
    {'taken', token}          now or before
    {'full'}
    {'wait', milliseconds}    a channel is free, and the trunk may not be dialled yet
]]

--- @include "open-gate"
--- @include "trunk-channels"

local gateKey = KEYS[1]
local keys = { holds = KEYS[2], channels = KEYS[3], trunks = KEYS[4] }
local callId, reservationId, trunk = ARGV[1], ARGV[2], ARGV[3]
local channels, callsPerSecond = toNatural(ARGV[4]), toNatural(ARGV[5])

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end
if reservationOf(keys.holds, callId) ~= reservationId then
  return { 'not_held' }
end
if not isRestored(keys.trunks, token) then
  return { 'stale', token }
end
if redis.call('HGET', keys.channels, callId) == encodeChannel(reservationId, trunk) then
  return { 'taken', token }
end
if not hasFreeChannel(keys, trunk, channels) then
  return { 'full' }
end
local wait = waitMs(keys.trunks, trunk, callsPerSecond)
if wait > 0 then
  return { 'wait', toText(wait) }
end
takeChannel(keys, callId, reservationId, trunk, callsPerSecond)
return { 'taken', token }
