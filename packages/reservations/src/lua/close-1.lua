--[[
  Closes the gate if it still carries this token. A later token was published since by a process with newer data.

  Input:
    KEYS[1] gate
    ARGV[1] token

  Output:
    {'closed'}
    {'unchanged'}
]]

local gateKey = KEYS[1]
local token = ARGV[1]

if redis.call('HGET', gateKey, 'token') ~= token then
  return { 'unchanged' }
end
redis.call('HDEL', gateKey, 'token')
return { 'closed' }
