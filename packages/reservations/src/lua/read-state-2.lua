--[[
  Input:
    KEYS[1] gate
    KEYS[2] holds

  Output:
    {'open', slots in use, token}
    {'closed', slots in use}
]]

--- @include "open-gate"

local gateKey, holdsKey = KEYS[1], KEYS[2]

local slotsInUse = tostring(redis.call('HLEN', holdsKey))
local token = openToken(gateKey)
if not token then
  return { 'closed', slotsInUse }
end
return { 'open', slotsInUse, token }
