export { checkRedis } from './check-redis.ts';
export { createCallConsumer, type CallConsumer, type CallConsumerOptions } from './call-consumer.ts';
export { createCallQueue, type CallQueueOptions, type OwnedCallQueue, type QueueCounts } from './call-queue.ts';
export {
  createCallSoundPublisher,
  createCallSoundSubscriptions,
  type CallSoundPublisher,
  type CallSoundSubscriptions,
} from './call-sound.ts';
export { createCampaignSignals, subscribeToCampaignSignals, type CampaignSignals } from './campaign-signals.ts';
export { createChangeSignals, subscribeToChangeSignals } from './change-signals.ts';
export { notConnected, watchConnectionFailures } from './connection-failures.ts';
export { connectForCommands, connectForWaiting, connectPatiently } from './connect.ts';
export { createEndSignals, subscribeToEndSignals } from './end-signals.ts';
export { createInstructionSender, subscribeToInstructions, type InstructionSender } from './instructions.ts';
export type { JobOutcome } from './job-worker.ts';
export { createOperationSignals, subscribeToOperationSignals, type OperationSignals } from './operation-signals.ts';
export { createTryChannel, type TryChannel, type TryText } from './try-channel.ts';
export {
  createAgentEnd,
  createPersonEnd,
  createTrySoundPlaces,
  TRY_SOUND_LEASE_MS,
  type AgentEnd,
  type PersonEnd,
  type TrySoundPlaces,
} from './try-sound.ts';
export type { FromAgent, FromPerson } from './try-sound-messages.ts';
export { createTurnSignals, subscribeToTurnSignals } from './turn-signals.ts';
export { onConnectionLost, type RedisClient } from './redis-client.ts';
export { pingForWriting, watchedRedis } from './redis-outages.ts';
