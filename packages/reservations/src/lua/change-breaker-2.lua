--[[
  Opens or closes a breaker, or notes the check of its credential.

  Input:
    KEYS[1] breakers
    KEYS[2] evidence of this breaker
    ARGV[1] breaker
    ARGV[2] the streak that the caller saw; 0 for a closed breaker
    ARGV[3] open, begin_check, checked, or close
    ARGV[4] to open: for how long, milliseconds
    ARGV[5] to open: 1 if the credential needs no check
    ARGV[6] to open: the account whose breaker it is, or a dash

  Output, the first that applies:
    {'unchanged'}   the streak is another one by now; or the owner has too many open ones; or a check is not due
    {'changed'}
]]

--- @include "breakers"

local MOST_OF_OWNER = 20

local breakersKey, evidenceKey = KEYS[1], KEYS[2]
local breaker, streak, change = ARGV[1], toNatural(ARGV[2]), ARGV[3]

-- Drops what no longer counts, and counts what is open of this owner.
local function openOfOwner(owner)
  local now, count = nowMicros(), 0
  local entries = redis.call('HGETALL', breakersKey)
  for index = 1, #entries, 2 do
    local outage = decodeOutage(entries[index + 1])
    if not isOutage(outage, now) then
      redis.call('HDEL', breakersKey, entries[index])
    elseif outage.owner == owner and entries[index] ~= breaker then
      count = count + 1
    end
  end
  return count
end

local outage = outageOf(breakersKey, breaker)
if (outage and outage.streak or 0) ~= streak then
  return { 'unchanged' }
end
local now = nowMicros()

if change == 'open' then
  local forMicros = toNatural(ARGV[4]) * 1000
  local owner = outage and outage.owner or ARGV[6]
  if owner ~= '-' and openOfOwner(owner) >= MOST_OF_OWNER then
    return { 'unchanged' }
  end
  storeOutage(breakersKey, breaker, {
    untilMicros = now + forMicros,
    forMicros = forMicros,
    streak = streak + 1,
    sinceMicros = outage and outage.sinceMicros or now,
    isChecked = ARGV[5] == '1',
    checkUntilMicros = 0,
    probeCall = '-',
    probeAccount = outage and outage.probeAccount or '-',
    probeUntilMicros = 0,
    owner = owner,
  })
  redis.call('UNLINK', evidenceKey)
  return { 'changed' }
end
if not outage then
  return { 'unchanged' }
end
if change == 'close' then
  redis.call('HDEL', breakersKey, breaker)
  redis.call('UNLINK', evidenceKey)
  return { 'changed' }
end
if outage.isChecked or outage.untilMicros > now then
  return { 'unchanged' }
end
if change == 'begin_check' then
  if outage.checkUntilMicros > now and outage.checkUntilMicros - now <= CHECK_MICROS then
    return { 'unchanged' }
  end
  outage.checkUntilMicros = now + CHECK_MICROS
else
  outage.isChecked = true
end
storeOutage(breakersKey, breaker, outage)
return { 'changed' }
