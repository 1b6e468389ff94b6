--[[
  A monitor takes one of its account's places to listen to a live call, or renews its lease.

  Input:
    KEYS[1] monitors of the account
    KEYS[2] monitors in the call
    ARGV[1] monitor
    ARGV[2] call id
    ARGV[3] the account's places
    ARGV[4] how long the lease lasts, in milliseconds
    ARGV[5] the channel of monitors

  Output, the first that applies:
    {'taken'}                 now or before; the call's worker learns it
    {'full'}
]]

--- @include "amount"
--- @include "monitors"

local ofKey, inKey = KEYS[1], KEYS[2]
local monitor, callId = ARGV[1], ARGV[2]
local places, leaseMs, channel = toNatural(ARGV[3]), toNatural(ARGV[4]), ARGV[5]

local now = nowMs()
dropLapsedMonitors(ofKey, now)
dropLapsedMonitors(inKey, now)
if not redis.call('ZSCORE', ofKey, monitor) and redis.call('ZCARD', ofKey) >= places then
  return { 'full' }
end
for _, key in ipairs({ ofKey, inKey }) do
  redis.call('ZADD', key, toText(now + leaseMs), monitor)
  redis.call('PEXPIRE', key, toText(leaseMs))
end
announceMonitors(channel, inKey, callId, now)
return { 'taken' }
