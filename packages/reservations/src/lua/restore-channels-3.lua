--[[
  Replaces all channels by those that Postgres knows, once for each generation of the gate.

  Input:
    KEYS[1] gate
    KEYS[2] channels
    KEYS[3] trunks
    ARGV[1] token after which they were read
    ARGV[2…] for each channel: call id, reservation id, trunk

  Output, the first that applies:
    {'superseded'}   the gate is closed, or carries another token
    {'restored'}     now, or by somebody else: then channels that were taken since stay
]]

--- @include "open-gate"
--- @include "trunk-channels"

local gateKey, channelsKey, trunksKey = KEYS[1], KEYS[2], KEYS[3]
local token = ARGV[1]

if openToken(gateKey) ~= token then
  return { 'superseded' }
end
if isRestored(trunksKey, token) then
  return { 'restored' }
end

redis.call('UNLINK', channelsKey)
clearCounts(trunksKey)
for index = 2, #ARGV, 3 do
  local callId, reservationId, trunk = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  redis.call('HSET', channelsKey, callId, encodeChannel(reservationId, trunk))
  redis.call('HINCRBY', trunksKey, 'used:' .. trunk, 1)
end
redis.call('HSET', trunksKey, 'token', token)
return { 'restored' }
