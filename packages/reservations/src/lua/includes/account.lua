-- An account's record: its limits, and the sums over its holds.

--- @include "amount"

local function decodeAccount(text)
  local balance, balanceVersion, capacity, capacityVersion, held, openCalls =
    string.match(text, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  return {
    balance = toInteger(balance),
    balanceVersion = toNatural(balanceVersion),
    capacity = toNatural(capacity),
    capacityVersion = toNatural(capacityVersion),
    held = toNatural(held),
    openCalls = toNatural(openCalls),
  }
end

local function encodeAccount(account)
  return string.format(
    '%.0f %.0f %.0f %.0f %.0f %.0f',
    account.balance,
    account.balanceVersion,
    account.capacity,
    account.capacityVersion,
    account.held,
    account.openCalls
  )
end

-- Both versions are needed: a top-up and a new limit may arrive in either order.
local function refreshBalance(account, balance, balanceVersion)
  if balanceVersion <= account.balanceVersion then
    return false
  end
  account.balance = balance
  account.balanceVersion = balanceVersion
  return true
end

local function refreshCapacity(account, capacity, capacityVersion)
  if capacityVersion <= account.capacityVersion then
    return false
  end
  account.capacity = capacity
  account.capacityVersion = capacityVersion
  return true
end
