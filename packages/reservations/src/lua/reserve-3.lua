--[[
  Reserves funds and a slot for one attempt to create a call.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] accounts
    ARGV[1] call id
    ARGV[2] account id
    ARGV[3] reservation id
    ARGV[4] hold, micros

  Output, the first that applies:
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
local callId, accountId, reservationId, amount = ARGV[1], ARGV[2], ARGV[3], toNatural(ARGV[4])

local token = openToken(gateKey)
if not token then
  return { 'closed' }
end

-- Clients re-send what they got no answer to: the same attempt must find its reservation, not claim a second one.
local standing = redis.call('HGET', holdsKey, callId)
if standing then
  local hold = decodeHold(standing)
  if hold.reservationId == reservationId and hold.accountId == accountId then
    return { 'reserved', token }
  end
  return { 'duplicate' }
end

local record = redis.call('HGET', accountsKey, accountId)
if not record then
  return { 'account_unknown', token }
end

local account = decodeAccount(record)
local available = account.balance - account.held
if available < amount then
  return { 'insufficient_funds', toText(available) }
end
if account.openCalls >= account.capacity then
  return { 'capacity_exceeded', 'account', toText(account.capacity), toText(account.openCalls) }
end
local slotsInUse = redis.call('HLEN', holdsKey)
local systemCapacity = toNatural(redis.call('HGET', gateKey, 'systemCapacity'))
if slotsInUse >= systemCapacity then
  return { 'capacity_exceeded', 'system', toText(systemCapacity), toText(slotsInUse) }
end

account.held = account.held + amount
account.openCalls = account.openCalls + 1
local hold = encodeHold({ accountId = accountId, reservationId = reservationId, amount = amount, sinceMs = nowMs() })
redis.call('HSET', holdsKey, callId, hold)
redis.call('HSET', accountsKey, accountId, encodeAccount(account))
return { 'reserved', token }
