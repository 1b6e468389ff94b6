export { spokenByStranger, STRANGERS, type Stranger } from './espeak.ts';
export { concat, silence } from './sounds.ts';
