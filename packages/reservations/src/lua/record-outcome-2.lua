--[[
  Records what the use of a model showed.

  Input:
    KEYS[1] breakers
    KEYS[2] evidence of this breaker
    ARGV[1] breaker
    ARGV[2] call id
    ARGV[3] account id
    ARGV[4] success, fault, or neither

  Output:
    {'recorded', now, streak, since, until, 1 if the call was let through by the half-open breaker, evidence…}
      times in milliseconds; streak 0 for a closed breaker; evidence after a fault: milliseconds, outcome, account
]]

--- @include "breakers"

local KEPT_OF_ACCOUNT = 20
local KEPT = 200
local KEPT_FOR_MS = 300000

local breakersKey, evidenceKey = KEYS[1], KEYS[2]
local breaker, callId, accountId, outcome = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- Without those that are too old, or from before the clock was set back.
local function recentEvidence()
  local recent = {}
  for _, entry in ipairs(redis.call('LRANGE', evidenceKey, 0, -1)) do
    local atMs, seen, account = string.match(entry, '^(%S+) (%S+) (%S+)$')
    local age = nowMs() - toNatural(atMs)
    if age >= 0 and age < KEPT_FOR_MS then
      recent[#recent + 1] = { entry = entry, atMs = atMs, seen = seen, account = account }
    end
  end
  return recent
end

local function addEvidence()
  local own, oldest = 0, nil
  for _, each in ipairs(recentEvidence()) do
    if each.account == accountId then
      own = own + 1
      oldest = oldest or each.entry
    end
  end
  -- Whoever floods drops what it said before, and nothing of others.
  if own >= KEPT_OF_ACCOUNT then
    redis.call('LREM', evidenceKey, 1, oldest)
  end
  redis.call('RPUSH', evidenceKey, toText(nowMs()) .. ' ' .. outcome .. ' ' .. accountId)
  redis.call('LTRIM', evidenceKey, -KEPT, -1)
  redis.call('PEXPIRE', evidenceKey, KEPT_FOR_MS)
end

local now = nowMicros()
local outage = outageOf(breakersKey, breaker)
if not outage then
  if outcome ~= 'neither' then
    addEvidence()
  end
  local reply = { 'recorded', toText(nowMs()), '0', '0', '0', '0' }
  if outcome == 'fault' then
    for _, each in ipairs(recentEvidence()) do
      reply[#reply + 1] = each.atMs
      reply[#reply + 1] = each.seen
      reply[#reply + 1] = each.account
    end
  end
  return reply
end

local isProbe = outage.probeCall == callId and outage.untilMicros <= now
if isProbe and outcome == 'neither' then
  outage.probeCall, outage.probeUntilMicros = '-', now
  storeOutage(breakersKey, breaker, outage)
end
return {
  'recorded',
  toText(nowMs()),
  toText(outage.streak),
  toText(math.floor(outage.sinceMicros / 1000)),
  toText(math.ceil(outage.untilMicros / 1000)),
  isProbe and '1' or '0',
}
