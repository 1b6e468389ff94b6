--[[
  Before a call is claimed: takes a channel of the first trunk that has one free and may be dialed now.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] channels
    KEYS[4] trunks
    ARGV[1] call id
    ARGV[2…] for each trunk, preferred trunk first: name, channels, calls per second

  Output, the first that applies:
    {'closed'}
    {'not_held'}
    {'stale', token}          the channels of this generation are not restored yet
    {'acquired', trunk}       now, or by an earlier delivery of the same command
    {'wait', milliseconds}
]]

--- @include "open-gate"
--- @include "trunk-channels"

-- The end of a call cannot be predicted.
local FULL_WAIT_MS = 500

local gateKey = KEYS[1]
local keys = { holds = KEYS[2], channels = KEYS[3], trunks = KEYS[4] }
local callId = ARGV[1]

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end

local reservationId = reservationOf(keys.holds, callId)
if not reservationId then
  return { 'not_held' }
end
if not isRestored(keys.trunks, token) then
  return { 'stale', token }
end

local standing = redis.call('HGET', keys.channels, callId)
local channel = standing and decodeChannel(standing)
if channel and channel.reservationId == reservationId then
  return { 'acquired', channel.trunk }
end

local soonestMs, awaited, pace
for index = 2, #ARGV, 3 do
  local trunk, channels, callsPerSecond = ARGV[index], toNatural(ARGV[index + 1]), toNatural(ARGV[index + 2])
  local isFree = hasFreeChannel(keys, trunk, channels)
  local wait = isFree and waitMs(keys.trunks, trunk, callsPerSecond) or FULL_WAIT_MS
  if wait == 0 then
    takeChannel(keys, callId, reservationId, trunk, callsPerSecond)
    return { 'acquired', trunk }
  end
  if not soonestMs or wait < soonestMs then
    soonestMs, awaited, pace = wait, trunk, callsPerSecond
  end
end
return { 'wait', toText(turnMs(keys.trunks, awaited, soonestMs, pace)) }
