--[[
  Closes a line for a time, by this Redis's clock: whoever closed it may be gone by then.

  Input:
    KEYS[1] credentials
    ARGV[1] line
    ARGV[2] for how long, milliseconds
    ARGV[3] id of this closing, random

  Output:
    {'line_closed', milliseconds}   what remains; a closing lengthens an earlier one and never shortens it
]]

--- @include "call-lines"

local credentialsKey = KEYS[1]
local line, forMs, closingId = ARGV[1], toNatural(ARGV[2]), ARGV[3]

local field = 'closed:' .. line
local standing = redis.call('HGET', credentialsKey, field)
local left = closedForMs(credentialsKey, line)
local isRepeated = standing and string.match(standing, '(%S+)$') == closingId
if not isRepeated and forMs > left then
  local forMicros = forMs * 1000
  redis.call('HSET', credentialsKey, field, toText(nowMicros() + forMicros) .. ' ' .. toText(forMicros) .. ' ' .. closingId)
  left = forMs
end
return { 'line_closed', toText(left) }
