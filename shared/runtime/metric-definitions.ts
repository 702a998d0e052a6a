/**
 * Every metric of Annals; a new one is a line here and a value where it is measured. Names follow the rules of Prometheus: base units, `_total` for counters. A test compares
 * docs/reference/metrics.md with this table. No label ever has a value that clients can choose freely (an id, a path, a
 * url), because each value is a time series of its own.
 */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

const secondsOfRequest = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const eventsPerBatch = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000];
const partition = ['topic', 'partition'];

const common = {
  annals_build_info: gauge('Always 1; the labels say what runs', ['service', 'version']),
  annals_ready: gauge('1 if this check of readiness holds', ['check']),
  annals_memory_limit_bytes: gauge(
    'Memory that the process may take: of its container where that has a limit, else of the machine',
  ),
  annals_heap_limit_bytes: gauge('Size that the heap of Node may reach'),
};

const http = {
  annals_http_request_duration_seconds: histogram(
    'Requests to the API by route pattern and status, from their first line to their last byte',
    ['method', 'route', 'status'],
    secondsOfRequest,
  ),
  annals_request_failures_total: counter(
    'Requests that met an unexpected error: each is a bug, logged with the id of its request',
  ),
  annals_database_connections: gauge('Connections of the pool', ['pool', 'state']),
  annals_database_reads_total: counter(
    'Statements that read, where DATABASE_READ_URL is set, by where they were answered: replica or primary',
    ['from'],
  ),
  annals_database_waiting_queries: gauge('Queries that wait for a connection of the pool', [
    'pool',
  ]),
};

const writer = {
  annals_writer_append_duration_seconds: histogram(
    'Appends to the log, from sending to the acknowledgement of all in-sync replicas',
    [],
    secondsOfRequest,
  ),
  annals_writer_append_events: histogram('Events that left in one append', [], eventsPerBatch),
  annals_writer_failed_appends_total: counter('Appends whose outcome was unknown at first'),
  annals_writer_fences_total: counter('Fences appended, each a try to own a partition', partition),
  annals_writer_ownership_changes_total: counter('Partitions that this process won or lost', [
    ...partition,
    'change',
  ]),
  annals_writer_owned_partitions: gauge(
    'Partitions of the log that this process decides about; a former owner finds out when it next writes',
  ),
  annals_writer_waiting_commands: gauge('Commands that wait to be decided'),
  annals_writer_overlay_records: gauge(
    'Records held in memory because Postgres lacks their newest event',
  ),
  annals_writer_cached_records: gauge('Records held in memory, the overlay included'),
  annals_writer_backlog_bytes: gauge(
    'Events appended here that Postgres does not have yet',
    partition,
  ),
  annals_writer_unprojected_entries: gauge(
    'Entries of the log that Postgres does not have yet, of owned partitions',
    partition,
  ),
};

const storage = {
  annals_storage_free_bytes: gauge('Free space on a disk of Kafka or Postgres', ['path']),
  annals_storage_floor_bytes: gauge('Below which writes are refused', ['path']),
  annals_storage_low: gauge('1 while writes are refused for want of space or inodes', ['path']),
};

const files = {
  annals_file_uploaded_bytes_total: counter('Bytes of files that were written to the log'),
};

const projector = {
  annals_projector_lag_entries: gauge(
    'Entries of the log that Postgres does not have yet',
    partition,
  ),
  annals_projector_lag_seconds: gauge('Age of the oldest of them; 0 without any', partition),
  annals_projector_entries_total: counter('Entries of the log that were read'),
  annals_projector_events_total: counter('Events that were stored'),
  annals_projector_commit_duration_seconds: histogram(
    'Transactions that stored a batch of events',
    [],
    secondsOfRequest,
  ),
  annals_projector_commit_events: histogram('Events stored by one transaction', [], eventsPerBatch),
  annals_projector_rejected_entries_total: counter(
    'Entries that reached no table: unreadable, foreign (without the code of this installation), impossible_version, quarantined (the tables refuse it), or superseded (of a former owner, as expected)',
    ['reason'],
  ),
  annals_projector_quarantined_records: gauge('Records that the tables refuse'),
  annals_projector_interruptions_total: counter(
    'Times that Kafka or Postgres failed the projector',
    ['part'],
  ),
  annals_projector_file_bytes_total: counter('Bytes of files that were stored'),
  annals_projector_assigned_partitions: gauge('Partitions of the log that this process projects'),
  annals_topic_settings_wrong: gauge(
    'Settings of topics with which entries are lost or cannot be written; the projector repairs them if it may',
  ),
  annals_log_first_offset: gauge(
    'First offset that Kafka still has of a topic that may not lose any; 0 while all entries are there',
    partition,
  ),
};

const webhooks = {
  annals_webhook_queue_lag_entries: gauge(
    'Entries of the records log that were not matched yet',
    partition,
  ),
  annals_webhook_queue_lag_seconds: gauge('Age of the oldest of them; 0 without any', partition),
  annals_webhook_queue_runs_total: counter('Runs of Process Webhook Queue'),
  annals_webhook_matched_events_total: counter(
    'Events that at least one webhook was interested in',
  ),
  annals_webhook_enqueued_events_total: counter('Events enqueued, once per webhook'),
  annals_webhook_enqueued_batches_total: counter('Batches enqueued'),
  annals_webhook_waiting_batches: gauge(
    'Batches read from the topics whose ending is not recorded yet',
  ),
  annals_webhook_oldest_waiting_seconds: gauge(
    'Time since the oldest of them was enqueued; 0 without any',
  ),
  annals_webhook_batches_total: counter(
    'Ends of a batch at its place in the topics, with and without a request',
    ['ending'],
  ),
  annals_webhook_dead_letters_total: counter('Batches given up, and messages that are no batch'),
  annals_webhook_attempt_duration_seconds: histogram(
    'Requests to receivers that were answered or failed, by outcome; their count is that of attempts',
    ['outcome'],
    secondsOfRequest,
  ),
  annals_webhook_requests_in_flight: gauge('Requests to receivers under way'),
  annals_webhook_open_breakers: gauge('Webhooks that fail again and again and are left alone now'),
  annals_webhook_open_lanes: gauge('Webhooks with a batch under way or waiting in this process'),
};

const loadBalancer = {
  annals_front_connections: gauge('Open connections to an api process', ['target']),
  annals_front_target_alive: gauge('1 if the api process answers', ['target']),
};

export const metricDefinitions = {
  ...common,
  ...http,
  ...writer,
  ...storage,
  ...files,
  ...projector,
  ...webhooks,
  ...loadBalancer,
};

export type MetricName = keyof typeof metricDefinitions;

function counter(help: string, labels: readonly string[] = []): MetricDefinition {
  return { type: 'counter', help, labels };
}

function gauge(help: string, labels: readonly string[] = []): MetricDefinition {
  return { type: 'gauge', help, labels };
}

function histogram(
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
): MetricDefinition {
  return { type: 'histogram', help, labels, buckets };
}
