--[[
  Releases the right to rebuild the gate, so that another process may begin at once.

  Input:
    KEYS[1] gate
    ARGV[1] attempt id, as passed to begin-rebuild

  Output:
    {'abandoned'}
    {'unchanged'}    the right is not this attempt's: it was published, taken over, or released before
]]

local gateKey = KEYS[1]
local attemptId = ARGV[1]

if redis.call('HGET', gateKey, 'rebuilder') ~= attemptId then
  return { 'unchanged' }
end
redis.call('HDEL', gateKey, 'rebuilder', 'rebuildingSinceMs')
return { 'abandoned' }
