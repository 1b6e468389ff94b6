export { createBatchedQueue, type BatchedQueue } from './batched-queue.ts';
export { createGateRebuild, type GateRebuild } from './gate-rebuild.ts';
export { createAdmission, type Admission, type AdmissionOptions } from './admission.ts';
