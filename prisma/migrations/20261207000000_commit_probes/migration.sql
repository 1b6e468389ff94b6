-- One row for each process that has had to find out whether Postgres commits. Writing it is the probe.
CREATE TABLE commit_probes (
  process_id text PRIMARY KEY,
  probed_at timestamptz(3) NOT NULL
);
