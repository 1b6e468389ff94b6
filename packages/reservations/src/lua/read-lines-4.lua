--[[
  Reads how many calls have each line, and which models get fewer calls for a time.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] lines
    KEYS[4] credentials
    ARGV[1] number of lines
    ARGV[2…] their names
    ARGV[…] the credentials whose lowered models to list

  Output, the first that applies:
    {'unknown'}   the gate is closed, or the lines of this generation are not restored yet
    {'read', number of lines, calls of each…, for each lowered model: the breaker that names it, how many calls may have its line, until
      when in milliseconds…}
]]

--- @include "open-gate"
--- @include "call-lines"

local keys = { gate = KEYS[1], holds = KEYS[2], lines = KEYS[3], credentials = KEYS[4] }
local lineCount = toNatural(ARGV[1])

local token = openToken(keys.gate)
if not token or not isRestored(keys.credentials, token) then
  return { 'unknown' }
end

-- Lines of calls that are over count until a sweep.
sweepLinesIfDue(keys)
local reply = { 'read', ARGV[1] }
for index = 2, 1 + lineCount do
  reply[#reply + 1] = toText(readCount(keys.credentials, 'used:' .. ARGV[index]))
end

-- Accounts have lowered models at their own credentials, too: none of them is listed here unless asked for.
local isAsked = {}
for index = 2 + lineCount, #ARGV do
  isAsked[ARGV[index]] = true
end
for _, field in ipairs(redis.call('HKEYS', keys.credentials)) do
  local model, credential = string.match(field, '^lowered:([^:]+:[^:]+:([^:]+):.+)$')
  local places, untilMs
  if model and isAsked[credential] then
    places, untilMs = loweredTo(keys.credentials, model)
  end
  if places then
    reply[#reply + 1] = model
    reply[#reply + 1] = toText(places)
    reply[#reply + 1] = toText(untilMs)
  end
end
return reply
