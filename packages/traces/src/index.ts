export { createCallTraces, type CallTraces } from './call-traces.ts';
export { openTraces, type Traces } from './open-traces.ts';
export { createRequestTraces, type AdmissionTraces, type RequestTrace, type RequestTraces } from './request-traces.ts';
export { traceSettingsOf, tracesEnv, type TraceSettings } from './settings.ts';
export { traceDeliveries } from './trace-deliveries.ts';
export { traceUploads } from './trace-uploads.ts';
