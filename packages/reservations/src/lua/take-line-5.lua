--[[
  In a call: takes one more line, for a fallback.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] lines
    KEYS[4] credentials
    KEYS[5] breakers
    ARGV[1] call id
    ARGV[2] reservation id
    ARGV[3…] the line: name, calls, starts per second, 1 if accounts share it, 1 if it is closed, its breakers

  Output, the first that applies:
    {'closed'}
    {'not_held'}
    {'stale', token}                 the lines of this generation are not restored yet
    {'line_closed', milliseconds}    also if the call has the line, for another model
    {'taken', token}                 now or before
    {'full'}                         also if the account has its half of the line, and another one waits
    {'wait', milliseconds}           a place is free, but no call may start yet
]]

--- @include "open-gate"
--- @include "call-lines"

local gateKey = KEYS[1]
local keys = { holds = KEYS[2], lines = KEYS[3], credentials = KEYS[4], breakers = KEYS[5] }
local callId, reservationId = ARGV[1], ARGV[2]
local line = linesFrom(3)[1]

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end
local standing = redis.call('HGET', keys.holds, callId)
local hold = standing and decodeHold(standing)
if not hold or hold.reservationId ~= reservationId then
  return { 'not_held' }
end
if not isRestored(keys.credentials, token) then
  return { 'stale', token }
end
local record = linesOf(keys, callId, reservationId)
  or { reservationId = reservationId, accountId = hold.accountId, names = {}, has = {} }
local heldBack = lineHeldBackMs(keys, callId, hold.accountId, line)
if heldBack > 0 then
  return { 'line_closed', toText(heldBack) }
end
if record.has[line.name] then
  letLineThrough(keys, callId, hold.accountId, line)
  return { 'taken', token }
end
local lack, forMs = lackOf(keys, callId, hold.accountId, line)
if lack == 'pace' then
  return { 'wait', toText(forMs) }
end
if lack then
  return { 'full' }
end
addLines(keys, callId, record, { line })
return { 'taken', token }
