--[[
  Checks whether scripts may identify the Redis they run in.

  Output:
    {'identified'}
]]

--- @include "identity"
--- @include "now"

readIdentity()
nowMs()
return { 'identified' }
