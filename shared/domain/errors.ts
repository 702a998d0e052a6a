export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'unprocessable'
  | 'too_large'
  | 'method_not_allowed'
  | 'too_many_requests'
  | 'unsupported_media_type'
  /** An invariant does not hold for this one request. */
  | 'internal';

/** One failing field: `type` is the validation's name on the wire (`required`, `maxLength`, `valid` …). */
export interface FieldProblem {
  readonly field: string;
  readonly type: string;
  readonly message: string;
}

interface RefusalDetail {
  /** A translated message in the form that clients of the record API show: a label, its scope, and values for it. */
  readonly messageTranslation?: {
    readonly label: string;
    readonly scope: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly errors?: readonly FieldProblem[];
  /** Set if the same request may succeed later. */
  readonly retryAfterSeconds?: number;
  /** Set if clients expect another body than a message. */
  readonly body?: unknown;
  /** The text of X-Status-Reason, where published clients know another one than the message. */
  readonly statusReason?: string;
}

/**
 * The request was understood and refused. `code` is stable (`noun.problem`) and listed in docs/reference/errors.md;
 * `message` is a sentence in one line of Latin-1, since it also travels in the X-Status-Reason header.
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

/** A dependency is unavailable. HTTP answers 503 with Retry-After; consumers wait and retry for ever. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly code: string;
  readonly retryAfterSeconds: number;
  /** What an operator has to change first. Mostly undefined: then waiting is enough. */
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

/** A disk of Kafka or Postgres is nearly full. Nothing was written. The same request succeeds once there is room. */
export class StorageLow extends Unavailable {
  constructor() {
    super(
      'The disk that holds the data is nearly full. Changes are refused until it has room again; reading goes on.',
      {
        code: 'storage.low',
        retryAfterSeconds: 10,
        remedy: 'free some space on it, or make it larger',
      },
    );
  }
}

/** Bytes in a topic that no known schema explains. The reader quarantines them with the reason and continues. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/**
 * A schema, or a name of a fixed set such as the types of events, that this version does not know: a later one wrote it, if
 * a process of the installation did.
 */
export class UnknownToThisVersion extends UnreadableMessage {}

/**
 * A refusal with the first failing field in the form that clients of the record API know, and all of them in `errors`.
 */
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
