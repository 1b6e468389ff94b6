--[[
  Replaces all contents of the gate by the staged ones, and opens it.

  Input:
    KEYS[1] gate
    KEYS[2] holds
    KEYS[3] accounts
    KEYS[4] staged holds
    KEYS[5] staged accounts
    ARGV[1] incarnation on which the rebuild began
    ARGV[2] token, <generation>.<timeline>
    ARGV[3] system capacity
    ARGV[4] system capacity version
    ARGV[5] number of holds staged
    ARGV[6] number of accounts staged

  Output, the first that applies:
    {'published'}    now, or by an earlier delivery of the same command
    {'superseded'}   another Redis, or a token that is not greater than the last, or a lost stage
]]

--- @include "identity"
--- @include "amount"

local gateKey, holdsKey, accountsKey, stagedHoldsKey, stagedAccountsKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local incarnation, token = ARGV[1], ARGV[2]
local systemCapacity, systemCapacityVersion = toNatural(ARGV[3]), toNatural(ARGV[4])
local holdCount, accountCount = toNatural(ARGV[5]), toNatural(ARGV[6])

local function decodeToken(text)
  local generation, timeline = string.match(text, '^(%d+)%.(%x+)$')
  return toNatural(generation), tonumber(timeline, 16)
end

-- By timeline first: a promoted Postgres may have lost the last generations, and must not wait for them.
local function isGreaterThan(published)
  local generation, timeline = decodeToken(token)
  local publishedGeneration, publishedTimeline = decodeToken(published)
  return timeline > publishedTimeline or (timeline == publishedTimeline and generation > publishedGeneration)
end

local function withoutStage(outcome)
  redis.call('UNLINK', stagedHoldsKey, stagedAccountsKey)
  return { outcome }
end

local function swap(stagedKey, key)
  -- RENAME frees what it replaces synchronously; thousands of fields are better freed in the background.
  redis.call('UNLINK', key)
  if redis.call('EXISTS', stagedKey) == 1 then
    redis.call('RENAME', stagedKey, key)
    -- RENAME keeps the stage's expiry: without this the open gate would lose its contents.
    redis.call('PERSIST', key)
  end
end

local gate = redis.call('HMGET', gateKey, 'runId', 'replicationId', 'incarnation', 'token', 'published')
local runId, replicationId, knownIncarnation, knownToken, published = gate[1], gate[2], gate[3], gate[4], gate[5]
if not isThisRedis(runId, replicationId) or knownIncarnation ~= incarnation then
  return withoutStage('superseded')
end
if knownToken == token then
  return withoutStage('published')
end
if published and not isGreaterThan(published) then
  return withoutStage('superseded')
end
if redis.call('HLEN', stagedHoldsKey) ~= holdCount or redis.call('HLEN', stagedAccountsKey) ~= accountCount then
  return withoutStage('superseded')
end

swap(stagedHoldsKey, holdsKey)
swap(stagedAccountsKey, accountsKey)
redis.call('HDEL', gateKey, 'rebuilder', 'rebuildingSinceMs')
redis.call(
  'HSET', gateKey,
  'token', token,
  'published', token,
  'systemCapacity', toText(systemCapacity),
  'systemCapacityVersion', toText(systemCapacityVersion)
)
return { 'published' }
