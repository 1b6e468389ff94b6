--[[
  Lists the breakers that are open or half-open.

  Input:
    KEYS[1] breakers

  Output:
    {'open', for each: breaker, streak, since, until, for how long it stays open, 1 if its credential needs a check,
      the account whose breaker it is, or a dash…}; times in milliseconds
]]

--- @include "breakers"

local breakersKey = KEYS[1]
local now = nowMicros()
local reply = { 'open' }
local entries = redis.call('HGETALL', breakersKey)
for index = 1, #entries, 2 do
  local outage = decodeOutage(entries[index + 1])
  if isOutage(outage, now) then
    local left = math.max(0, outage.untilMicros - now)
    local isDue = not outage.isChecked
      and left == 0
      and not (outage.checkUntilMicros > now and outage.checkUntilMicros - now <= CHECK_MICROS)
    reply[#reply + 1] = entries[index]
    reply[#reply + 1] = toText(outage.streak)
    reply[#reply + 1] = toText(math.floor(outage.sinceMicros / 1000))
    reply[#reply + 1] = toText(math.ceil(outage.untilMicros / 1000))
    reply[#reply + 1] = toText(math.ceil(left / 1000))
    reply[#reply + 1] = isDue and '1' or '0'
    reply[#reply + 1] = outage.owner
  end
end
return reply
