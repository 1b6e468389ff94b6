--[[
  Reserves funds and a slot for each of several requests to create a call, one after the other.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] accounts
    ARGV    for each request: call id, account id, reservation id, hold in micros

  Output, for each request the first that applies:
    {'closed'}
    {'reserved', token}
    {'duplicate'}
    {'account_unknown', token}
    {'insufficient_funds', available micros}
    {'capacity_exceeded', 'account' | 'system', limit, in use}
]]

--- @include "open-gate"
--- @include "account"
--- @include "hold"
--- @include "now"

local gateKey, holdsKey, accountsKey = KEYS[1], KEYS[2], KEYS[3]
local FIELDS = 4

local outcomes = {}
local token = openToken(gateKey)
if not token then
  for first = 1, #ARGV, FIELDS do
    outcomes[#outcomes + 1] = { 'closed' }
  end
  return outcomes
end

local systemCapacity = toNatural(redis.call('HGET', gateKey, 'systemCapacity'))
local slotsInUse = redis.call('HLEN', holdsKey)
local sinceMs = nowMs()

-- The state after the previous requests of this run. It is written at the end: an error halfway keeps nothing.
local accounts, holds, newHolds, newAccounts = {}, {}, {}, {}

local function holdOf(callId)
  if not holds[callId] then
    local standing = redis.call('HGET', holdsKey, callId)
    holds[callId] = standing and decodeHold(standing)
  end
  return holds[callId]
end

local function accountOf(accountId)
  if not accounts[accountId] then
    local record = redis.call('HGET', accountsKey, accountId)
    accounts[accountId] = record and decodeAccount(record)
  end
  return accounts[accountId]
end

local function reserve(callId, accountId, reservationId, amount)
  -- Clients re-send a command without an answer: the same request must find its reservation, not claim a second one.
  local standing = holdOf(callId)
  if standing then
    if standing.reservationId == reservationId and standing.accountId == accountId then
      return { 'reserved', token }
    end
    return { 'duplicate' }
  end

  local account = accountOf(accountId)
  if not account then
    return { 'account_unknown', token }
  end
  local available = account.balance - account.held
  if available < amount then
    return { 'insufficient_funds', toText(available) }
  end
  if account.openCalls >= account.capacity then
    return { 'capacity_exceeded', 'account', toText(account.capacity), toText(account.openCalls) }
  end
  if slotsInUse >= systemCapacity then
    return { 'capacity_exceeded', 'system', toText(systemCapacity), toText(slotsInUse) }
  end

  account.held = account.held + amount
  account.openCalls = account.openCalls + 1
  slotsInUse = slotsInUse + 1
  local hold = { accountId = accountId, reservationId = reservationId, amount = amount, sinceMs = sinceMs }
  holds[callId] = hold
  newHolds[#newHolds + 1] = callId
  newHolds[#newHolds + 1] = encodeHold(hold)
  newAccounts[accountId] = account
  return { 'reserved', token }
end

for first = 1, #ARGV, FIELDS do
  local amount = toNatural(ARGV[first + 3])
  outcomes[#outcomes + 1] = reserve(ARGV[first], ARGV[first + 1], ARGV[first + 2], amount)
end

if #newHolds > 0 then
  redis.call('HSET', holdsKey, unpack(newHolds))
end
for accountId, account in pairs(newAccounts) do
  redis.call('HSET', accountsKey, accountId, encodeAccount(account))
end
return outcomes
