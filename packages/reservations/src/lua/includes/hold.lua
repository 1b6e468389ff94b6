-- A hold: its account, its reservation, its amount, and when it was made.

--- @include "amount"

local function decodeHold(text)
  local accountId, reservationId, amount, sinceMs = string.match(text, '^(%S+) (%S+) (%S+) (%S+)$')
  return {
    accountId = accountId,
    reservationId = reservationId,
    amount = toNatural(amount),
    sinceMs = toNatural(sinceMs),
  }
end

local function encodeHold(hold)
  return string.format('%s %s %.0f %.0f', hold.accountId, hold.reservationId, hold.amount, hold.sinceMs)
end
