import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';
import { json, objectOf, text } from './read-body.ts';

/** What a refusal is made of, as JSON: an error loses its message there. */
export interface SerializedRefusal {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const readSerializedRefusal = objectOf<SerializedRefusal>({
  kind: text,
  code: text,
  message: text,
  detail: json,
});

export function serializeRefusal({ kind, code, message, detail }: Refusal): SerializedRefusal {
  return { kind, code, message, detail: { ...detail } };
}

export function toRefusal({ kind, code, message, detail }: SerializedRefusal): Refusal {
  return new Refusal(kind as RefusalKind, code, message, detail);
}
