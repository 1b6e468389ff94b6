--- @include "identity"

-- The token under which the gate is open, or false.
local function openToken(gateKey)
  local gate = redis.call('HMGET', gateKey, 'token', 'runId', 'replicationId')
  local token, runId, replicationId = gate[1], gate[2], gate[3]
  if not token or not isThisRedis(runId, replicationId) then
    return false
  end
  return token
end
