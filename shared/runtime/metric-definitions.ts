/**
 * Every metric that Annals exports. A new metric needs a line here and a value where it is measured. Names follow
 * Prometheus's rules: base units, `_total` for counters. A test compares docs/reference/metrics.md with this table. No
 * label may have a value that clients can choose freely (an id, a path, a URL), because each value is a separate time
 * series.
 */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const secondsOfRequest = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const eventsPerBatch = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000];
const partition = ['topic', 'partition'];

const common = {
  annals_build_info: gauge('Always 1; the labels have the service and its version', [
    'service',
    'version',
  ]),
  annals_ready: gauge('1 if this readiness check passes', ['check']),
  annals_memory_limit_bytes: gauge(
    'Memory available to the process: the container limit, or the memory of the machine',
  ),
  annals_heap_limit_bytes: gauge('Maximum size of the Node heap'),
};

const http = {
  annals_http_request_duration_seconds: histogram(
    'API requests by route pattern and status, from the first line of the request to the last byte of the response',
    ['method', 'route', 'status'],
    secondsOfRequest,
  ),
  annals_request_failures_total: counter(
    'Requests with an unexpected error; each is a bug, logged with the id of its request',
  ),
  annals_login_uses_dropped_total: counter(
    'Uses of log-ins that no api recorded; the next use of the same log-in is recorded instead',
  ),
  annals_database_connections: gauge('Connections in the pool', ['pool', 'state']),
  annals_database_reads_total: counter(
    'Read statements by the server that ran them (replica or primary), if DATABASE_READ_URL is set',
    ['from'],
  ),
  annals_database_waiting_queries: gauge('Queries waiting for a connection in the pool', ['pool']),
};

const writer = {
  annals_writer_append_duration_seconds: histogram(
    'Appends to the log, from sending to the acknowledgement by all in-sync replicas',
    [],
    secondsOfRequest,
  ),
  annals_writer_append_events: histogram('Events per append', [], eventsPerBatch),
  annals_writer_failed_appends_total: counter('Appends whose outcome was initially unknown'),
  annals_writer_fences_total: counter(
    'Fences appended, one per attempt to own a partition',
    partition,
  ),
  annals_writer_ownership_changes_total: counter(
    'Partitions whose ownership this process gained or lost',
    [...partition, 'change'],
  ),
  annals_writer_owned_partitions: gauge(
    'Log partitions that this process owns; a former owner detects the loss at its next write',
  ),
  annals_writer_waiting_commands: gauge('Commands waiting for a decision'),
  annals_writer_overlay_records: gauge(
    'Records kept in memory because Postgres lacks their newest event',
  ),
  annals_writer_cached_records: gauge('Records kept in memory, including the overlay'),
  annals_writer_backlog_bytes: gauge(
    'Bytes of events appended by this process that are not in Postgres yet',
    partition,
  ),
  annals_writer_unprojected_entries: gauge(
    'Unprojected log entries of owned partitions',
    partition,
  ),
};

const storage = {
  annals_storage_free_bytes: gauge('Free space on a disk of Kafka or Postgres', ['path']),
  annals_storage_floor_bytes: gauge('Free space below which writes are rejected', ['path']),
  annals_storage_low: gauge('1 while writes are rejected for lack of space or inodes', ['path']),
};

const files = {
  annals_file_uploaded_bytes_total: counter('File bytes written to the log or to the file store'),
  annals_file_store_failures_total: counter('Failed requests to the file store'),
};

const projector = {
  annals_projector_lag_entries: gauge('Unprojected log entries', partition),
  annals_projector_lag_seconds: gauge(
    'Age of the oldest unprojected entry; 0 if none exists',
    partition,
  ),
  annals_projector_entries_total: counter('Log entries read'),
  annals_projector_events_total: counter('Events stored'),
  annals_projector_commit_duration_seconds: histogram(
    'Transactions that store a batch of events',
    [],
    secondsOfRequest,
  ),
  annals_projector_commit_events: histogram('Events stored per transaction', [], eventsPerBatch),
  annals_projector_rejected_entries_total: counter(
    'Entries not stored in a table: unreadable, foreign (without the authentication code of this installation), impossible_version, quarantined (rejected by the tables), or superseded (written by a former owner, as expected)',
    ['reason'],
  ),
  annals_projector_quarantined_records: gauge('Quarantined records'),
  annals_projector_interruptions_total: counter(
    'Interruptions of the projector by a failure of Kafka or Postgres',
    ['part'],
  ),
  annals_projector_file_bytes_total: counter('File bytes stored'),
  annals_projector_assigned_partitions: gauge('Log partitions that this process projects'),
  annals_topic_settings_wrong: gauge(
    'Topic settings that can lose entries or prevent writes; the projector corrects them if it has permission',
  ),
  annals_log_first_offset: gauge(
    'First offset in Kafka of a topic that must not lose entries; 0 while it is complete',
    partition,
  ),
};

const webhooks = {
  annals_webhook_queue_lag_entries: gauge('Unmatched entries of the records log', partition),
  annals_webhook_queue_lag_seconds: gauge(
    'Age of the oldest unmatched entry; 0 if none exists',
    partition,
  ),
  annals_webhook_queue_runs_total: counter('Runs of Process Webhook Queue'),
  annals_webhook_matched_events_total: counter('Events matched by at least one webhook'),
  annals_webhook_enqueued_events_total: counter('Events enqueued, once per webhook'),
  annals_webhook_enqueued_batches_total: counter('Batches enqueued'),
  annals_webhook_waiting_batches: gauge(
    'Batches read from the topics whose outcome is not recorded yet',
  ),
  annals_webhook_oldest_waiting_seconds: gauge(
    'Time since the oldest waiting batch was enqueued; 0 if none exists',
  ),
  annals_webhook_batches_total: counter(
    'Batches finished at their position in the topics, with and without a request',
    ['ending'],
  ),
  annals_webhook_dead_letters_total: counter(
    'Abandoned batches, and messages that are not valid batches',
  ),
  annals_webhook_attempt_duration_seconds: histogram(
    'Completed requests to receivers by outcome; the count is the number of attempts',
    ['outcome'],
    secondsOfRequest,
  ),
  annals_webhook_requests_in_flight: gauge('Requests to receivers in flight'),
  annals_webhook_open_breakers: gauge(
    'Webhooks whose deliveries are paused after repeated failures',
  ),
  annals_webhook_open_lanes: gauge('Webhooks with a batch in flight or waiting in this process'),
};

const mail = {
  annals_mail_attempts_total: counter(
    'Attempts to send an e-mail by outcome: sent, retried later, or failed for good',
    ['outcome'],
  ),
  annals_mail_queued_emails: gauge('E-mails in the queue, the same in every api'),
  annals_mail_oldest_queued_seconds: gauge(
    'Age of the oldest e-mail in the queue; 0 if none exists',
  ),
};

const loadBalancer = {
  annals_front_connections: gauge('Open connections to an api process', ['target']),
  annals_front_target_alive: gauge('1 if the api process responds', ['target']),
};

export const metricDefinitions = {
  ...common,
  ...http,
  ...writer,
  ...storage,
  ...files,
  ...projector,
  ...webhooks,
  ...mail,
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
