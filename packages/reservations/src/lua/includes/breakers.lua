-- The breakers of models at credentials. An entry: until when it is open, for how long it was opened (microseconds), its
-- streak, since when, `1` if its credential needs no check, until when a check may take, the call that was let through
-- last, its account, until when it decides alone, and the owner. A dash stands for nothing.

--- @include "trunk-channels"

-- The call that is let through decides within this time, or another one may.
local PROBE_MICROS = 30000000
-- Whoever was let through last leaves the next attempt to others for as long.
local OTHERS_FIRST_MICROS = 2000000
-- Without a check until then, a call finds out.
local CHECKED_WITHIN_MICROS = 15000000
local CHECK_MICROS = 12000000
-- A half-open breaker closes by itself after this time: nothing was seen that speaks against it.
local HALF_OPEN_MICROS = 120000000
local HELD_BACK_RETRY_MS = 500

local function decodeOutage(text)
  local words = {}
  for word in string.gmatch(text, '%S+') do
    words[#words + 1] = word
  end
  return {
    untilMicros = toNatural(words[1]),
    forMicros = toNatural(words[2]),
    streak = toNatural(words[3]),
    sinceMicros = toNatural(words[4]),
    isChecked = words[5] == '1',
    checkUntilMicros = toNatural(words[6]),
    probeCall = words[7],
    probeAccount = words[8],
    probeUntilMicros = toNatural(words[9]),
    owner = words[10],
  }
end

local function storeOutage(breakersKey, name, outage)
  redis.call('HSET', breakersKey, name, table.concat({
    toText(outage.untilMicros), toText(outage.forMicros), toText(outage.streak), toText(outage.sinceMicros),
    outage.isChecked and '1' or '0', toText(outage.checkUntilMicros),
    outage.probeCall, outage.probeAccount, toText(outage.probeUntilMicros), outage.owner,
  }, ' '))
end

-- Whether it still counts: half-open for too long, or set by a clock that was set back since, it does not.
local function isOutage(outage, now)
  local left = outage.untilMicros - now
  return left <= outage.forMicros and -left < HALF_OPEN_MICROS
end

-- The breaker's outage, or nil for a closed one.
local function outageOf(breakersKey, name)
  local text = redis.call('HGET', breakersKey, name)
  local outage = text and decodeOutage(text)
  return outage and isOutage(outage, nowMicros()) and outage or nil
end

local function isProbing(outage, now)
  return outage.probeUntilMicros > now and outage.probeUntilMicros - now <= PROBE_MICROS
end

local function mayProbe(outage, callId, accountId, now)
  if outage.probeCall == callId then
    return true
  end
  if isProbing(outage, now) then
    return false
  end
  if not outage.isChecked and now - outage.untilMicros < CHECKED_WITHIN_MICROS then
    return false
  end
  local freeSince = math.max(outage.untilMicros, math.min(outage.probeUntilMicros, now))
  return outage.probeAccount ~= accountId or now - freeSince >= OTHERS_FIRST_MICROS
end

-- For how long the breaker holds the call back at least, in milliseconds; 0 if it lets it through.
local function heldBackMs(breakersKey, name, callId, accountId)
  local outage = outageOf(breakersKey, name)
  if not outage then
    return 0
  end
  local now = nowMicros()
  if outage.untilMicros > now then
    return math.ceil((outage.untilMicros - now) / 1000)
  end
  return mayProbe(outage, callId, accountId, now) and 0 or HELD_BACK_RETRY_MS
end

-- The call is let through: if the breaker is half-open, it decides.
local function letThrough(breakersKey, name, callId, accountId)
  local outage = outageOf(breakersKey, name)
  local now = nowMicros()
  if outage and outage.untilMicros <= now and outage.probeCall ~= callId then
    outage.probeCall, outage.probeAccount = callId, accountId
    outage.probeUntilMicros = now + PROBE_MICROS
    storeOutage(breakersKey, name, outage)
  end
end
