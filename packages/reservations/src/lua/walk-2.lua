--[[
  One page of a walk over the holds or the accounts.

  Input:
    KEYS[1] gate
    KEYS[2] holds, or accounts
    ARGV[1] cursor, '0' at the beginning
    ARGV[2] approximate number of entries

  Output:
    {'closed'}
    {'page', token, next cursor or '0', Redis's time in milliseconds, id, record, id, record, …}
]]

--- @include "open-gate"
--- @include "amount"
--- @include "now"

local gateKey, walkedKey = KEYS[1], KEYS[2]
local cursor, count = ARGV[1], ARGV[2]

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end

local found = redis.call('HSCAN', walkedKey, cursor, 'COUNT', count)
local page = { 'page', token, found[1], toText(nowMs()) }
for _, text in ipairs(found[2]) do
  page[#page + 1] = text
end
return page
