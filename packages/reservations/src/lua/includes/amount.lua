-- Lua's numbers are doubles: from 2^53 on they round, and a rounded amount would be a wrong balance.
local AMOUNT_BOUND = 9007199254740992

local function toInteger(text)
  local value = tonumber(text)
  if not value or value ~= math.floor(value) or math.abs(value) >= AMOUNT_BOUND then
    error('not an integer within 2^53: ' .. tostring(text))
  end
  return value
end

local function toNatural(text)
  local value = toInteger(text)
  if value < 0 then
    error('below zero: ' .. tostring(text))
  end
  return value
end

-- Lua's own conversion to text keeps only fourteen digits.
local function toText(value)
  return string.format('%.0f', value)
end
