--- @include "now"

local function dropLapsedMonitors(key, now)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', toText(now))
end

-- Announces to the worker of the call for how long a monitor will listen, counted from now.
local function announceMonitors(channel, inKey, callId, now)
  local last = redis.call('ZRANGE', inKey, -1, -1, 'WITHSCORES')
  local left = last[2] and math.max(0, tonumber(last[2]) - now) or 0
  redis.call('PUBLISH', channel, callId .. ' ' .. toText(left))
end
