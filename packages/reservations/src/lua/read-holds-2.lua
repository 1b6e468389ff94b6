--[[
  The holds of some calls.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    ARGV    call ids, at most a thousand

  Output:
    {'closed'}
    {'holds', record or '', record or '', …}, in the order of the calls
]]

--- @include "open-gate"

local gateKey, holdsKey = KEYS[1], KEYS[2]

if not openToken(gateKey) then
  return { 'closed' }
end

local reply = { 'holds' }
for index, record in ipairs(redis.call('HMGET', holdsKey, unpack(ARGV))) do
  reply[index + 1] = record or ''
end
return reply
