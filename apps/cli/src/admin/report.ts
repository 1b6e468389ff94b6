/** JSON as printed. Money is a decimal number of units and times are ISO 8601, as in the HTTP interface. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A command's result, for programs and for people. */
export interface Report {
  readonly json: Json;
  /** Lines for a person. */
  readonly text: readonly string[];
  /** Printed on standard error in both formats: notes for a person that would break a program's parser. */
  readonly notes?: readonly string[];
}

export function printReport(
  report: Report,
  asJson: boolean,
  out: { readonly write: (text: string) => void },
  err: { readonly write: (text: string) => void },
): void {
  for (const note of report.notes ?? []) err.write(`${note}\n`);
  out.write(asJson ? `${JSON.stringify(report.json, null, 2)}\n` : `${report.text.join('\n')}\n`);
}
