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
  | 'unsupported_media_type';

/** One failing field: `type` is the validation's name on the wire (`required`, `maxLength`, `valid` …). */
export interface FieldProblem {
  readonly field: string;
  readonly type: string;
  readonly message: string;
}

/** What clients of the record API show to people: a label, its scope, and values to put into it. */
interface MessageTranslation {
  readonly label: string;
  readonly scope: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface RefusalDetail {
  readonly messageTranslation?: MessageTranslation;
  readonly errors?: readonly FieldProblem[];
  /** Where the same request may do better after a while. */
  readonly retryAfterSeconds?: number;
  /** Where clients expect another body than a message. */
  readonly body?: unknown;
}

/**
 * The request was understood and refused. `code` is stable (`noun.problem`) and listed in docs/reference/errors.md;
 * `message` is one line of Latin-1, since it also travels in the X-Status-Reason header.
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

/** A part that Annals needs is away. HTTP answers 503 with Retry-After, consumers wait and try again for ever. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly code: string;
  readonly retryAfterSeconds: number;
  /** What a person has to change before it comes back, in words for the operator alone; mostly waiting is enough. */
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

/** A disk of Kafka or Postgres is nearly full. Nothing was written, and the same works again once there is room. */
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

/** Bytes in a topic that no known schema explains. The reader parks them with the reason and goes on. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** First failing field in the words that clients of the record API know, all of them in `errors`. */
export function validationFailure(
  entityType: string,
  problems: readonly [FieldProblem, ...FieldProblem[]],
): Refusal {
  const [first] = problems;
  return new Refusal(
    'invalid',
    'record.invalid',
    `Field validation failure; entityType: ${entityType}, field: ${first.field}, type: ${first.type}.`,
    {
      messageTranslation: {
        label: 'validationFailure',
        scope: null,
        data: { field: first.field, type: first.type },
      },
      errors: problems,
    },
  );
}
