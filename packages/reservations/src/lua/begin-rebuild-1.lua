--[[
  Takes the right to rebuild the gate.

  Input:
    KEYS[1] gate
    ARGV[1] attempt id, random
    ARGV[2] how long an attempt has before another may begin, milliseconds

  Output, the first that applies:
    {'not_needed'}            the gate is open
    {'begun', incarnation}    now, or by an earlier delivery of the same command
    {'under_way'}             another attempt is younger than that
]]

--- @include "identity"
--- @include "amount"
--- @include "now"

local gateKey = KEYS[1]
local attemptId, leftAloneMs = ARGV[1], toNatural(ARGV[2])

local runId, replicationId = readIdentity()
local gate = redis.call(
  'HMGET', gateKey,
  'runId', 'replicationId', 'incarnation', 'token', 'rebuilder', 'rebuildingSinceMs'
)
local knownRunId, knownReplicationId, incarnation = gate[1], gate[2], gate[3]
local token, rebuilder, sinceMs = gate[4], gate[5], gate[6]

if knownRunId ~= runId or knownReplicationId ~= replicationId then
  -- Empty, or copied from another Redis: the published contents may lack the last writes. The new incarnation excludes
  -- every publish that began before.
  incarnation = attemptId
  redis.call('HDEL', gateKey, 'token', 'published')
  redis.call('HSET', gateKey, 'runId', runId, 'replicationId', replicationId, 'incarnation', incarnation)
else
  if token then
    return { 'not_needed' }
  end
  if rebuilder == attemptId then
    return { 'begun', incarnation }
  end
  -- Without this, every rejected request would restart the rebuild, and none would finish. A mark from the future means
  -- that the clock was set back: it would stay too long.
  local ageMs = sinceMs and nowMs() - toNatural(sinceMs)
  if ageMs and ageMs >= 0 and ageMs < leftAloneMs then
    return { 'under_way' }
  end
end

redis.call('HSET', gateKey, 'rebuilder', attemptId, 'rebuildingSinceMs', toText(nowMs()))
return { 'begun', incarnation }
