--[[
  The sums over an account's holds.

  Input:
    KEYS[1] gate
    KEYS[2] accounts
    ARGV[1] account id

  Output:
    {'closed'}
    {'open', held micros, open calls}
]]

--- @include "open-gate"
--- @include "account"

local gateKey, accountsKey = KEYS[1], KEYS[2]
local accountId = ARGV[1]

if not openToken(gateKey) then
  return { 'closed' }
end

-- Every account with a hold is loaded: an unknown one has none.
local record = redis.call('HGET', accountsKey, accountId)
if not record then
  return { 'open', '0', '0' }
end
local account = decodeAccount(record)
return { 'open', toText(account.held), toText(account.openCalls) }
