export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'unprocessable'
  | 'too_large'
  | 'too_slow'
  | 'method_not_allowed'
  | 'too_many_requests'
  | 'unsupported_media_type'
  /** An invariant does not hold for this one request. */
  | 'internal';

/** The validations that a value can fail, named as in the API. */
export const problemTypes = [
  'required',
  'valid',
  'maxLength',
  'min',
  'max',
  'rangeInternal',
  'inPermittedRange',
  'validCurrency',
  'emailAddress',
  'pattern',
  'array',
  'arrayOfString',
  'noEmptyString',
  'maxItemLength',
  'maxCount',
  'columnsValid',
  'rowSize',
  'assignment',
  'closed',
  'unknown',
  'notInternal',
  'entityType',
  'field',
] as const;

/** The forms of values that fail as `valid`. */
export const valueForms = [
  'text',
  'storable',
  'integer',
  'number',
  'boolean',
  'date',
  'dateTime',
  'url',
  'webUrl',
  'phoneNumber',
  'option',
  'list',
  'ids',
  'parent',
  'jsonObject',
  'jsonList',
  'header',
] as const;

type ProblemType = (typeof problemTypes)[number];
export type ValueForm = (typeof valueForms)[number];

/** The values that appear in the text of a problem, so that clients can translate it. */
interface ProblemParameters {
  readonly form?: ValueForm;
  /** The name of a custom header. */
  readonly header?: string;
  readonly maxLength?: number;
  readonly maxCount?: number;
  readonly min?: number;
  readonly max?: number;
}

/** A field that failed validation, and the reason. */
export interface FieldProblem {
  readonly field: string;
  /** The failing attribute, if the field has several attributes and the problem concerns one of them. */
  readonly attribute?: string;
  readonly type: ProblemType;
  readonly parameters?: ProblemParameters;
  /** The problem in English, with the attribute's name. */
  readonly message: string;
}

interface RefusalDetail {
  /** A translated message for the UI of record API clients: a label, its scope, and the values to insert. */
  readonly messageTranslation?: {
    readonly label: string;
    readonly scope: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly errors?: readonly FieldProblem[];
  /** The values that appear in the message, so that clients can translate it. */
  readonly parameters?: { readonly maxBytes: number };
  /** The id of the record into which the requested record was merged. */
  readonly mergedInto?: string;
  /** Set if the same request may succeed later. */
  readonly retryAfterSeconds?: number;
  /** Replaces the response body, for clients that expect something other than a message. */
  readonly body?: unknown;
  /** The text of X-Status-Reason, if published clients expect a text that differs from the message. */
  readonly statusReason?: string;
}

/**
 * An expected error: the request was understood but rejected. `code` is stable (`noun.problem`) and listed in
 * docs/reference/errors.md. `message` must be a single line of Latin-1 because it is also sent in X-Status-Reason.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly code: string;
  readonly detail: RefusalDetail;

  constructor(kind: RefusalKind, code: string, message: string, detail: RefusalDetail = {}) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.detail = detail;
  }
}

/** A dependency is unavailable. HTTP responds 503 with Retry-After; consumers back off and retry indefinitely. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly code: string;
  readonly retryAfterSeconds: number;
  /** What an operator has to do before a retry can succeed; undefined if waiting is enough. */
  readonly remedy: string | undefined;

  constructor(
    message: string,
    options: {
      code?: string;
      retryAfterSeconds?: number;
      cause?: unknown;
      remedy?: string | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'service.unavailable';
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
    this.remedy = options.remedy;
  }
}

/**
 * The change is in the log, but was not readable in time. The request is otherwise complete: a repeat with the same
 * Idempotency-Key changes nothing, and a read with the token waits for the change.
 */
export class WriteUnread extends Unavailable {
  readonly recordId: string;
  readonly consistencyToken: string;

  constructor(recordId: string, consistencyToken: string) {
    super('the change is in the log but not readable yet', { code: 'write.unread' });
    this.recordId = recordId;
    this.consistencyToken = consistencyToken;
  }
}

/**
 * A disk of Kafka or Postgres is nearly full, or the file store is full. Nothing was written. The request succeeds once
 * there is free space.
 */
export class StorageLow extends Unavailable {
  constructor({
    message = 'The disk that holds the data is nearly full. Writes are rejected until space is freed; reads still work.',
    remedy = 'free some disk space or enlarge the disk',
    cause = undefined as unknown,
  } = {}) {
    super(message, { code: 'storage.low', retryAfterSeconds: 10, remedy, cause });
  }
}

/** A message that matches no known schema. The reader quarantines it with the reason and continues. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/**
 * A schema or an enumerated name (an event type, for example) that this version does not support. If a process of this
 * installation wrote it, that process runs a later version.
 */
export class UnknownToThisVersion extends UnreadableMessage {}

/** Reports the first failing field in the form that record API clients expect, and all failing fields in `errors`. */
export function validationFailure(
  entityType: string,
  problems: readonly [FieldProblem, ...FieldProblem[]],
): Refusal {
  const [first] = problems;
  return new Refusal('invalid', 'record.invalid', first.message, {
    statusReason: `Field validation failure; entityType: ${entityType}, field: ${first.field}, type: ${first.type}.`,
    messageTranslation: {
      label: 'validationFailure',
      scope: null,
      data: { field: first.field, type: first.type },
    },
    errors: problems,
  });
}
