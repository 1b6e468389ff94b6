--[[
  Tells whether scripts of this Redis may learn which Redis they run in.

  Output:
    {'identified'}
]]

--- @include "identity"
--- @include "now"

readIdentity()
nowMs()
return { 'identified' }
