-- The lines of calls at credentials: who has them, and whether a call may get one now.
--
-- A call's record: its reservation, its account, its lines. Its lines are free once the gate no longer holds that
-- reservation, as a channel is. A sweep collects such records when a line looks full.

--- @include "trunk-channels"
--- @include "breakers"

-- What a waiting call was told it is remembered for, and this much longer: its job may be late.
local SLACK_MICROS = 2000000
-- Nothing is remembered for longer: the clock was set back.
local LONGEST_MEMORY_MICROS = LONGEST_TURN_MS * 1000 + SLACK_MICROS

local function decodeLines(text)
  local words = {}
  for word in string.gmatch(text, '%S+') do
    words[#words + 1] = word
  end
  local record = { reservationId = words[1], accountId = words[2], names = {}, has = {} }
  for index = 3, #words do
    record.names[#record.names + 1] = words[index]
    record.has[words[index]] = true
  end
  return record
end

local function encodeLines(record)
  local words = { record.reservationId, record.accountId }
  for _, name in ipairs(record.names) do
    words[#words + 1] = name
  end
  return table.concat(words, ' ')
end

local function readCount(credentialsKey, field)
  return toNatural(redis.call('HGET', credentialsKey, field) or '0')
end

local function countLine(credentialsKey, accountId, name)
  redis.call('HINCRBY', credentialsKey, 'used:' .. name, 1)
  redis.call('HINCRBY', credentialsKey, 'by:' .. accountId .. ':' .. name, 1)
end

local function clearLineCounts(credentialsKey)
  for _, field in ipairs(redis.call('HKEYS', credentialsKey)) do
    if string.find(field, 'used:', 1, true) == 1 or string.find(field, 'by:', 1, true) == 1 then
      redis.call('HDEL', credentialsKey, field)
    end
  end
end

local function sweepLines(keys)
  clearLineCounts(keys.credentials)
  local entries = redis.call('HGETALL', keys.lines)
  for index = 1, #entries, 2 do
    local callId, record = entries[index], decodeLines(entries[index + 1])
    if reservationOf(keys.holds, callId) == record.reservationId then
      for _, name in ipairs(record.names) do
        countLine(keys.credentials, record.accountId, name)
      end
    else
      redis.call('HDEL', keys.lines, callId)
    end
  end
end

local function sweepLinesIfDue(keys)
  local now = nowMs()
  local sweptAtMs = readCount(keys.credentials, 'sweptAtMs')
  if now >= sweptAtMs and now - sweptAtMs < SWEEP_EVERY_MS then
    return false
  end
  redis.call('HSET', keys.credentials, 'sweptAtMs', toText(now))
  sweepLines(keys)
  return true
end

-- The record of this call's reservation, or nil.
local function linesOf(keys, callId, reservationId)
  local standing = redis.call('HGET', keys.lines, callId)
  local record = standing and decodeLines(standing)
  return record and record.reservationId == reservationId and record or nil
end

-- Lines from ARGV: name, calls, starts per second, 1 if accounts share it, 1 if it is closed, and its breakers.
local function linesFrom(first)
  local lines = {}
  for index = first, #ARGV, 6 do
    lines[#lines + 1] = {
      name = ARGV[index],
      maxCalls = toNatural(ARGV[index + 1]),
      startsPerSecond = toNatural(ARGV[index + 2]),
      isShared = ARGV[index + 3] == '1',
      isClosed = ARGV[index + 4] == '1',
      breakers = ARGV[index + 5],
    }
  end
  return lines
end

-- A key is rotated by people: a call that waits for that need not ask often.
local CLOSED_LINE_WAIT_MS = 5000

-- For how long a closed line, or the breakers of a line, hold the call back at least, in milliseconds; 0 if they let it
-- through.
local function lineHeldBackMs(keys, callId, accountId, line)
  local longest = line.isClosed and CLOSED_LINE_WAIT_MS or 0
  for name in string.gmatch(line.breakers, '%S+') do
    longest = math.max(longest, heldBackMs(keys.breakers, name, callId, accountId))
  end
  return longest
end

local function letLineThrough(keys, callId, accountId, line)
  for name in string.gmatch(line.breakers, '%S+') do
    letThrough(keys.breakers, name, callId, accountId)
  end
end

local function isRemembered(untilMicros, now)
  return untilMicros > now and untilMicros - now <= LONGEST_MEMORY_MICROS
end

-- The accounts that wait for a line. The two that are remembered longest suffice: whoever asks, the other one that is
-- remembered longest is among them.
local function waitingAccounts(credentialsKey, name)
  local now, found = nowMicros(), {}
  local text = redis.call('HGET', credentialsKey, 'waiting:' .. name) or ''
  for accountId, untilMicros in string.gmatch(text, '(%S+) (%d+)') do
    local untilNumber = toNatural(untilMicros)
    if isRemembered(untilNumber, now) then
      found[#found + 1] = { accountId = accountId, untilMicros = untilNumber }
    end
  end
  return found
end

local function anotherWaits(credentialsKey, name, accountId)
  for _, waiting in ipairs(waitingAccounts(credentialsKey, name)) do
    if waiting.accountId ~= accountId then
      return true
    end
  end
  return false
end

local function rememberWaiting(credentialsKey, name, accountId, untilMicros)
  local kept = {}
  for _, waiting in ipairs(waitingAccounts(credentialsKey, name)) do
    if waiting.accountId == accountId then
      untilMicros = math.max(untilMicros, waiting.untilMicros)
    else
      kept[#kept + 1] = waiting
    end
  end
  kept[#kept + 1] = { accountId = accountId, untilMicros = untilMicros }
  table.sort(kept, function(a, b)
    return a.untilMicros > b.untilMicros
  end)
  local words = {}
  for index = 1, math.min(2, #kept) do
    words[#words + 1] = kept[index].accountId .. ' ' .. toText(kept[index].untilMicros)
  end
  redis.call('HSET', credentialsKey, 'waiting:' .. name, table.concat(words, ' '))
end

-- Whether the next free place of the line is kept for a call that waits for several lines.
local function isKeptForAnother(keys, callId, name)
  local text = redis.call('HGET', keys.credentials, 'next:' .. name)
  if not text then
    return false
  end
  local keeper, untilMicros = string.match(text, '^(%S+) (%S+)$')
  return keeper ~= callId
    and isRemembered(toNatural(untilMicros), nowMicros())
    and redis.call('HEXISTS', keys.holds, keeper) == 1
end

local LONGEST_LOWERED_MICROS = 600000000

-- How many calls of a lowered model may have its line, and until when in milliseconds; or nil.
local function loweredTo(credentialsKey, model)
  local text = redis.call('HGET', credentialsKey, 'lowered:' .. model)
  if not text then
    return nil
  end
  local places, untilMicros = string.match(text, '^(%d+) (%d+)$')
  local left = toNatural(untilMicros) - nowMicros()
  -- A longer time means that the clock was set back.
  if left <= 0 or left > LONGEST_LOWERED_MICROS then
    return nil
  end
  return toNatural(places), math.ceil(toNatural(untilMicros) / 1000)
end

local function hasLine(keys, accountId, line)
  return readCount(keys.credentials, 'by:' .. accountId .. ':' .. line.name) > 0
end

-- How many calls may have the line while models of it are lowered.
local function loweredPlaces(keys, line)
  local places = line.maxCalls
  for model in string.gmatch(line.breakers, '%S+') do
    places = math.min(places, loweredTo(keys.credentials, model) or places)
  end
  return places
end

-- How many calls may have the line when this account asks. An account without a call may use every place, so that each
-- keeps one while a model is lowered.
local function placesFor(keys, accountId, line)
  return hasLine(keys, accountId, line) and loweredPlaces(keys, line) or line.maxCalls
end

local function placeLacking(keys, callId, accountId, line)
  local most = placesFor(keys, accountId, line)
  local places = most
  if isKeptForAnother(keys, callId, line.name) then
    places = places - 1
  end
  if readCount(keys.credentials, 'used:' .. line.name) >= places then
    return 'full'
  end
  if
    line.isShared
    and readCount(keys.credentials, 'by:' .. accountId .. ':' .. line.name) >= math.ceil(most / 2)
    and anotherWaits(keys.credentials, line.name, accountId)
  then
    return 'share'
  end
  return nil
end

-- The end of a call cannot be predicted.
local FULL_LINE_WAIT_MS = 500

-- Why the call cannot have the line now, and for how long at least; nil if it can. `closed`: by its key or a breaker. `full`: all
-- places are taken or kept. `share`: its account has half of it, and another one waits. `pace`: too soon.
local function lackOf(keys, callId, accountId, line)
  local closedMs = lineHeldBackMs(keys, callId, accountId, line)
  if closedMs > 0 then
    return 'closed', closedMs
  end
  local lack = placeLacking(keys, callId, accountId, line)
  if lack and sweepLinesIfDue(keys) then
    lack = placeLacking(keys, callId, accountId, line)
  end
  if lack then
    return lack, FULL_LINE_WAIT_MS
  end
  local wait = waitMs(keys.credentials, line.name, line.startsPerSecond)
  if wait > 0 then
    return 'pace', wait
  end
  return nil
end

-- Adds lines to the call's record, and spends one start of each.
local function addLines(keys, callId, record, lines)
  for _, line in ipairs(lines) do
    letLineThrough(keys, callId, record.accountId, line)
    record.names[#record.names + 1] = line.name
    record.has[line.name] = true
    countLine(keys.credentials, record.accountId, line.name)
    redis.call('HSET', keys.credentials, 'due:' .. line.name, toText(nowMicros() + intervalMicros(line.startsPerSecond)))
    local kept = redis.call('HGET', keys.credentials, 'next:' .. line.name)
    if kept and string.find(kept, callId .. ' ', 1, true) == 1 then
      redis.call('HDEL', keys.credentials, 'next:' .. line.name)
    end
  end
  redis.call('HSET', keys.lines, callId, encodeLines(record))
end
