--[[
  Replaces all lines of calls by those from Postgres, once for each generation of the gate.

  Input:
    KEYS[1] gate
    KEYS[2] lines
    KEYS[3] credentials
    ARGV[1] token after which they were read
    ARGV[2…] for each call: call id, reservation id, account id, number of lines, their names

  Output, the first that applies:
    {'superseded'}   the gate is closed, or carries another token
    {'restored'}     now, or by another process: then lines that were taken since stay
]]

--- @include "open-gate"
--- @include "call-lines"

local gateKey, linesKey, credentialsKey = KEYS[1], KEYS[2], KEYS[3]
local token = ARGV[1]

if openToken(gateKey) ~= token then
  return { 'superseded' }
end
if isRestored(credentialsKey, token) then
  return { 'restored' }
end

redis.call('UNLINK', linesKey)
clearLineCounts(credentialsKey)
local index = 2
while index <= #ARGV do
  local callId, reservationId, accountId, count = ARGV[index], ARGV[index + 1], ARGV[index + 2], toNatural(ARGV[index + 3])
  local record = { reservationId = reservationId, accountId = accountId, names = {} }
  for offset = 1, count do
    local name = ARGV[index + 3 + offset]
    record.names[offset] = name
    countLine(credentialsKey, accountId, name)
  end
  redis.call('HSET', linesKey, callId, encodeLines(record))
  index = index + 4 + count
end
redis.call('HSET', credentialsKey, 'token', token)
return { 'restored' }
