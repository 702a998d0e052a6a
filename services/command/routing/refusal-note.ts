import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';
import { json, objectOf, text } from './read-body.ts';

/** What a refusal is made of, as JSON: an error loses its message there. */
export interface RefusalNote {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const readRefusalNote = objectOf<RefusalNote>({
  kind: text,
  code: text,
  message: text,
  detail: json,
});

export function toRefusalNote({ kind, code, message, detail }: Refusal): RefusalNote {
  return { kind, code, message, detail: { ...detail } };
}

export function fromRefusalNote({ kind, code, message, detail }: RefusalNote): Refusal {
  return new Refusal(kind as RefusalKind, code, message, detail);
}
