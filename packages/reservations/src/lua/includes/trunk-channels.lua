-- The channels of trunks, and when each may be dialled next.
--
-- A channel: which reservation has it, on which trunk. It is free once the gate no longer holds that reservation, so
-- that whatever frees a hold frees the channel with it. What became free so is swept up when a trunk looks full.

--- @include "amount"
--- @include "hold"
--- @include "now"

-- A sweep reads every channel: under a load that keeps all of them busy it must not run at every command.
local SWEEP_EVERY_MS = 100

local function decodeChannel(text)
  local reservationId, trunk = string.match(text, '^(%S+) (%S+)$')
  return { reservationId = reservationId, trunk = trunk }
end

local function encodeChannel(reservationId, trunk)
  return reservationId .. ' ' .. trunk
end

local function isRestored(trunksKey, token)
  return redis.call('HGET', trunksKey, 'token') == token
end

-- The hold's reservation, or nil.
local function reservationOf(holdsKey, callId)
  local standing = redis.call('HGET', holdsKey, callId)
  return standing and decodeHold(standing).reservationId
end

local function clearCounts(trunksKey)
  for _, field in ipairs(redis.call('HKEYS', trunksKey)) do
    if string.find(field, 'used:', 1, true) == 1 then
      redis.call('HDEL', trunksKey, field)
    end
  end
end

local function sweepChannels(holdsKey, channelsKey, trunksKey)
  clearCounts(trunksKey)
  local entries = redis.call('HGETALL', channelsKey)
  for index = 1, #entries, 2 do
    local callId, channel = entries[index], decodeChannel(entries[index + 1])
    if reservationOf(holdsKey, callId) == channel.reservationId then
      redis.call('HINCRBY', trunksKey, 'used:' .. channel.trunk, 1)
    else
      redis.call('HDEL', channelsKey, callId)
    end
  end
end

local function usedChannels(trunksKey, trunk)
  return toNatural(redis.call('HGET', trunksKey, 'used:' .. trunk) or '0')
end

local function hasFreeChannel(keys, trunk, channels)
  if usedChannels(keys.trunks, trunk) < channels then
    return true
  end
  local now = nowMs()
  local sweptAtMs = toNatural(redis.call('HGET', keys.trunks, 'sweptAtMs') or '0')
  if now >= sweptAtMs and now - sweptAtMs < SWEEP_EVERY_MS then
    return false
  end
  redis.call('HSET', keys.trunks, 'sweptAtMs', toText(now))
  sweepChannels(keys.holds, keys.channels, keys.trunks)
  return usedChannels(keys.trunks, trunk) < channels
end

local function nowMicros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function intervalMicros(callsPerSecond)
  return math.ceil(1000000 / callsPerSecond)
end

-- How long until the trunk may be dialled, in whole milliseconds; 0 for now. A bucket of one call: what was not used is
-- not saved up, because carriers count any second and not the average.
local function waitMs(trunksKey, trunk, callsPerSecond)
  local due = toNatural(redis.call('HGET', trunksKey, 'due:' .. trunk) or '0')
  local wait = due - nowMicros()
  -- Further away than one call's share: the clock was set back, or the trunk may be dialled faster than before.
  if wait <= 0 or wait > intervalMicros(callsPerSecond) then
    return 0
  end
  return math.ceil(wait / 1000)
end

-- When to ask again, in milliseconds: everybody who waits gets a turn of their own, one call's share after the last
-- one's. Were they all told the same moment, a long queue would ask a thousand times for every call that may go.
local LONGEST_TURN_MS = 10000

local function turnMs(trunksKey, trunk, soonestMs, callsPerSecond)
  local now = nowMicros()
  local latest = now + LONGEST_TURN_MS * 1000
  local turn = now + soonestMs * 1000
  local last = toNatural(redis.call('HGET', trunksKey, 'turn:' .. trunk) or '0')
  -- None is ever given later than that: the clock was set back.
  if last <= latest then
    turn = math.max(turn, last + intervalMicros(callsPerSecond))
  end
  if turn > latest then
    return LONGEST_TURN_MS
  end
  redis.call('HSET', trunksKey, 'turn:' .. trunk, toText(turn))
  return math.ceil((turn - now) / 1000)
end

-- Gives the call a channel of this trunk and of no other, and spends one call of its pace.
local function takeChannel(keys, callId, reservationId, trunk, callsPerSecond)
  local standing = redis.call('HGET', keys.channels, callId)
  if standing then
    redis.call('HINCRBY', keys.trunks, 'used:' .. decodeChannel(standing).trunk, -1)
  end
  redis.call('HSET', keys.channels, callId, encodeChannel(reservationId, trunk))
  redis.call('HINCRBY', keys.trunks, 'used:' .. trunk, 1)
  redis.call('HSET', keys.trunks, 'due:' .. trunk, toText(nowMicros() + intervalMicros(callsPerSecond)))
end
