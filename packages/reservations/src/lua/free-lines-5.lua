--[[
  Says how many calls of an account could get each line within a second. Takes nothing.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] lines
    KEYS[4] credentials
    KEYS[5] breakers
    ARGV[1] account id
    ARGV[2…] for each line: name, calls, starts per second, 1 if accounts share it, 1 if it is closed, its breakers

  Output, the first that applies:
    {'unknown'}         the gate is closed, or the lines of this generation are not restored yet
    {'free', number…}   of each line; of one whose breaker is half-open, one at most
]]

--- @include "open-gate"
--- @include "call-lines"

local keys = { gate = KEYS[1], holds = KEYS[2], lines = KEYS[3], credentials = KEYS[4], breakers = KEYS[5] }
local accountId = ARGV[1]
-- No call is named like this: none is let through by it.
local NO_CALL = ''

local token = openToken(keys.gate)
if not token or not isRestored(keys.credentials, token) then
  return { 'unknown' }
end

local function freePlaces(line)
  local kept = isKeptForAnother(keys, NO_CALL, line.name) and 1 or 0
  local most = placesFor(keys, accountId, line)
  local taken = kept + readCount(keys.credentials, 'used:' .. line.name)
  local places = most - taken
  if not hasLine(keys, accountId, line) then
    -- Its first call may use any place. Those after it may not while a model is lowered.
    places = math.min(places, math.max(1, loweredPlaces(keys, line) - taken))
  end
  if line.isShared and anotherWaits(keys.credentials, line.name, accountId) then
    local own = readCount(keys.credentials, 'by:' .. accountId .. ':' .. line.name)
    places = math.min(places, math.ceil(most / 2) - own)
  end
  return math.max(0, places)
end

local function mostByBreakers(line)
  local most = line.isClosed and 0 or math.huge
  for name in string.gmatch(line.breakers, '%S+') do
    if outageOf(keys.breakers, name) then
      most = math.min(most, heldBackMs(keys.breakers, name, NO_CALL, accountId) > 0 and 0 or 1)
    end
  end
  return most
end

local reply = { 'free' }
for _, line in ipairs(linesFrom(2)) do
  local places = freePlaces(line)
  -- Lines of calls that are over count until a sweep.
  if places == 0 and sweepLinesIfDue(keys) then
    places = freePlaces(line)
  end
  reply[#reply + 1] = toText(math.min(places, line.startsPerSecond, mostByBreakers(line)))
end
return reply
