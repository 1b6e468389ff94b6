--[[
  Before the claim of a call that needs lines: a channel of the first trunk that has one, and every line, or nothing.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] channels
    KEYS[4] trunks
    KEYS[5] lines
    KEYS[6] credentials
    KEYS[7] breakers
    ARGV[1] call id
    ARGV[2] number of trunks
    ARGV[3…] for each trunk, preferred trunk first: name, channels, calls per second
    ARGV[…] for each line: name, calls, starts per second, 1 if accounts share it, 1 if it is closed, its breakers

  Output, the first that applies:
    {'closed'}
    {'not_held'}
    {'stale', token}                    the channels or lines of this generation are not restored yet
    {'acquired', token, trunk, line…}   now or before, with all lines of the call; the trunk is empty if it needs none
    {'wait', milliseconds, 1 if a trunk lacks, line…}   the lines that lack
]]

--- @include "open-gate"
--- @include "call-lines"

-- The end of a call cannot be predicted.
local FULL_WAIT_MS = 500

local gateKey = KEYS[1]
local keys = { holds = KEYS[2], channels = KEYS[3], trunks = KEYS[4], lines = KEYS[5], credentials = KEYS[6], breakers = KEYS[7] }
local callId, trunkCount = ARGV[1], toNatural(ARGV[2])
local asked = linesFrom(3 + trunkCount * 3)

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end
local standing = redis.call('HGET', keys.holds, callId)
if not standing then
  return { 'not_held' }
end
local hold = decodeHold(standing)
if not isRestored(keys.credentials, token) or (trunkCount > 0 and not isRestored(keys.trunks, token)) then
  return { 'stale', token }
end

local function standingChannel()
  local text = redis.call('HGET', keys.channels, callId)
  local channel = text and decodeChannel(text)
  return channel and channel.reservationId == hold.reservationId and channel or nil
end

local function acquired(record, trunk)
  local reply = { 'acquired', token, trunk }
  for _, name in ipairs(record.names) do
    reply[#reply + 1] = name
  end
  return reply
end

-- The first trunk that has a channel now, or what to wait for.
local function freeTrunk()
  local soonest
  for index = 3, 2 + trunkCount * 3, 3 do
    local name, channels, callsPerSecond = ARGV[index], toNatural(ARGV[index + 1]), toNatural(ARGV[index + 2])
    local wait = hasFreeChannel(keys, name, channels) and waitMs(keys.trunks, name, callsPerSecond) or FULL_WAIT_MS
    if not soonest or wait < soonest.waitMs then
      soonest = { name = name, waitMs = wait, callsPerSecond = callsPerSecond }
    end
    if wait == 0 then
      break
    end
  end
  return soonest
end

local record = linesOf(keys, callId, hold.reservationId)
local channel = standingChannel()
local missing = {}
for _, line in ipairs(asked) do
  if not (record and record.has[line.name]) then
    missing[#missing + 1] = line
  end
end
-- Whoever has lines may be up: its channel is its own matter, and it gets no other here.
if record and #missing == 0 then
  return acquired(record, channel and channel.trunk or '')
end

local trunk = trunkCount > 0 and not channel and not record and freeTrunk() or nil
local lacksTrunk = trunk ~= nil and trunk.waitMs > 0
local lacking, mayKeep = {}, #missing > 1
for _, line in ipairs(missing) do
  local lack, forMs = lackOf(keys, callId, hold.accountId, line)
  if lack then
    lacking[#lacking + 1] = { line = line, lack = lack, forMs = forMs }
    -- To keep a place for a call that a breaker or its account's share holds back would only leave the place idle.
    mayKeep = mayKeep and (lack == 'full' or lack == 'pace')
  end
  mayKeep = mayKeep and not isKeptForAnother(keys, callId, line.name)
end

if not lacksTrunk and #lacking == 0 then
  if trunk then
    takeChannel(keys, callId, hold.reservationId, trunk.name, trunk.callsPerSecond)
  end
  record = record or { reservationId = hold.reservationId, accountId = hold.accountId, names = {}, has = {} }
  addLines(keys, callId, record, missing)
  return acquired(record, trunk and trunk.name or (channel and channel.trunk) or '')
end

-- All or none: a call that waits undialed keeps no channel from others.
if channel and not record then
  redis.call('HDEL', keys.channels, callId)
  redis.call('HINCRBY', keys.trunks, 'used:' .. channel.trunk, -1)
end

local forMs = lacksTrunk and turnMs(keys.trunks, trunk.name, trunk.waitMs, trunk.callsPerSecond) or 0
for _, each in ipairs(lacking) do
  forMs = math.max(forMs, turnMs(keys.credentials, each.line.name, each.forMs, each.line.startsPerSecond))
end
local untilMicros = nowMicros() + forMs * 1000 + SLACK_MICROS
local reply = { 'wait', toText(forMs), lacksTrunk and '1' or '0' }
for _, each in ipairs(lacking) do
  if each.line.isShared and each.lack ~= 'closed' then
    rememberWaiting(keys.credentials, each.line.name, hold.accountId, untilMicros)
  end
  reply[#reply + 1] = each.line.name
end
-- A turn alone is no place: calls with one line would take each place that becomes free before both are.
if mayKeep and #lacking > 0 then
  for _, line in ipairs(missing) do
    redis.call('HSET', keys.credentials, 'next:' .. line.name, callId .. ' ' .. toText(untilMicros))
  end
end
return reply
