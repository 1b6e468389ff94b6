import type { UsageReport } from '@outdial/calls';
import { Prisma } from '../generated/client.ts';

/** The usage of row `i` is not less than that of `m`. */
const GROWS = Prisma.sql`COALESCE(
          (SELECT sum((e->>'quantity')::numeric) FROM jsonb_array_elements(i.usage) e)
            >= (SELECT COALESCE(sum((e->>'quantity')::numeric), 0) FROM jsonb_array_elements(m.usage) e), false)`;

/** The fields of an `input` row that `keepUsage` reads. */
export function usageInput(usage: UsageReport | undefined) {
  return usage ? { usage: usage.entries, usage_cost_micros: Number(usage.costMicros) } : {};
}

/**
 * The CTE that stores the usage of the calls of `timed`, a CTE of calls that are locked and still the writer's. A
 * statement without usage leaves it out. Usage only grows: an earlier report that comes late changes nothing.
 */
export function keepUsage(): Prisma.Sql {
  return Prisma.sql`, used AS (
      UPDATE model_calls m SET usage = i.usage, usage_cost_micros = i.usage_cost_micros
      FROM timed h JOIN input i ON i.id = h.id
      WHERE m.call_id = h.id AND ${GROWS}
    )`;
}

/**
 * The CTE that stores what the end of a call changes of its models: the usage, the delays, and that an analysis is due. A statement
 * can change a row only once. One without either leaves it out.
 */
export function settleModels(): Prisma.Sql {
  return Prisma.sql`, modelled AS (
      UPDATE model_calls m SET
        usage = CASE WHEN ${GROWS} THEN i.usage ELSE m.usage END,
        usage_cost_micros = CASE WHEN ${GROWS} THEN i.usage_cost_micros ELSE m.usage_cost_micros END,
        turn_metrics = COALESCE(i.turn_metrics, m.turn_metrics),
        analysis_status = CASE WHEN d.wants_analysis THEN 'pending' ELSE m.analysis_status END,
        analysis_due_at = CASE WHEN d.wants_analysis THEN clock_timestamp() ELSE m.analysis_due_at END
      FROM ended e JOIN input i ON i.id = e.id JOIN due d ON d.id = e.id
      WHERE m.call_id = e.id
    )`;
}
