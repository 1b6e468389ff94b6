-- The identity of this Redis. The run id alone is not enough: after a failover and a failover back, the first Redis has
-- its old run id and the data of the second. The replication id distinguishes the two.

local function readIdentity()
  local runId = string.match(redis.call('INFO', 'server'), '\nrun_id:(%w+)')
  local replicationId = string.match(redis.call('INFO', 'replication'), '\nmaster_replid:(%w+)')
  if not runId or not replicationId then
    error('INFO names no run_id or no master_replid')
  end
  return runId, replicationId
end

-- Searches for the expected value instead of parsing: half the time, and every reservation pays for it.
local function isThisRedis(runId, replicationId)
  return runId
    and replicationId
    and string.find(redis.call('INFO', 'server'), '\nrun_id:' .. runId .. '\r', 1, true) ~= nil
    and string.find(redis.call('INFO', 'replication'), '\nmaster_replid:' .. replicationId .. '\r', 1, true) ~= nil
end
