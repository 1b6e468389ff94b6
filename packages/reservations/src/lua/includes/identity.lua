-- Which Redis this is. The run id alone is not enough: after a failover there and back the first Redis has its old
-- run id, and data of the second. The replication id tells the two apart.

local function readIdentity()
  local runId = string.match(redis.call('INFO', 'server'), '\nrun_id:(%w+)')
  local replicationId = string.match(redis.call('INFO', 'replication'), '\nmaster_replid:(%w+)')
  if not runId or not replicationId then
    error('INFO names no run_id or no master_replid')
  end
  return runId, replicationId
end

-- Looks for what it expects instead of reading what is there: half the time, and every reservation pays for it.
local function isThisRedis(runId, replicationId)
  return runId
    and replicationId
    and string.find(redis.call('INFO', 'server'), '\nrun_id:' .. runId .. '\r', 1, true) ~= nil
    and string.find(redis.call('INFO', 'replication'), '\nmaster_replid:' .. replicationId .. '\r', 1, true) ~= nil
end
