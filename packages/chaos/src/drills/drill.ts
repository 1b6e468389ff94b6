/** Brings one safeguard to its moment, on a real database. @returns what was violated */
export type Drill = (databaseUrl: string) => Promise<readonly string[]>;
