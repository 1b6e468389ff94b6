--[[
  Lets calls of a model get its line only while fewer than half as many calls as now have it.

  Input:
    KEYS[1] holds
    KEYS[2] lines
    KEYS[3] credentials
    ARGV[1] line
    ARGV[2] the breaker that names the model
    ARGV[3] for how long, milliseconds; of one that is lowered already, its places stay

  Output:
    {'lowered', how many calls that are}
]]

--- @include "call-lines"

local keys = { holds = KEYS[1], lines = KEYS[2], credentials = KEYS[3] }
local line, model, forMicros = ARGV[1], ARGV[2], toNatural(ARGV[3]) * 1000

-- Names of models are an account's own: what is over must not stay.
for _, field in ipairs(redis.call('HKEYS', keys.credentials)) do
  if string.find(field, 'lowered:', 1, true) == 1 and not loweredTo(keys.credentials, string.sub(field, 9)) then
    redis.call('HDEL', keys.credentials, field)
  end
end

sweepLinesIfDue(keys)
local places = loweredTo(keys.credentials, model)
  or math.max(1, math.floor(readCount(keys.credentials, 'used:' .. line) / 2))
redis.call('HSET', keys.credentials, 'lowered:' .. model, toText(places) .. ' ' .. toText(nowMicros() + forMicros))
return { 'lowered', toText(places) }
